// What a virtual stream is made of: the codec of its pictures and of its sound, either of which may change while clients watch.

export const videoCodecs = ['h264', 'h265'] as const;
export type VideoCodec = (typeof videoCodecs)[number];

export const audioCodecs = ['pcma', 'pcmu', 'aac'] as const;
export type AudioCodec = (typeof audioCodecs)[number];

export interface StreamFormat {
  readonly video: VideoCodec;
  /** Null: no sound. */
  readonly sound: AudioCodec | null;
}

export const PAYLOAD_TYPES = { h264: 96, h265: 97, pcma: 8, pcmu: 0, aac: 98 } as const;
