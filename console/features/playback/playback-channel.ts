// The channel whose recordings are on screen.
export interface PlaybackChannel {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

export function playbackChannelKey({ deviceSerial, channelNo }: PlaybackChannel): string {
  return `${deviceSerial}:${channelNo}`;
}
