// Numbers of RTMP: types of messages (Adobe RTMP 1.0, 5.4, 7.1) and user control events (7.1.7).

export const RTMP_MESSAGE = {
  setChunkSize: 1,
  abort: 2,
  acknowledgement: 3,
  userControl: 4,
  windowSize: 5,
  peerBandwidth: 6,
  audio: 8,
  video: 9,
  data: 18,
  command: 20,
} as const;

export const RTMP_EVENT = { pingRequest: 6, pingResponse: 7 } as const;
