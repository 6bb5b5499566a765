// The channel whose recordings are on screen.
export interface PlaybackChannel {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

export function playbackChannelKey({ deviceSerial, channelNo }: PlaybackChannel): string {
  return `${deviceSerial}:${channelNo}`;
}

/** Main, second, third stream. */
export type RecordedQuality = 0 | 1 | 2;

/** A plan may record the second stream alone: what is not there in one quality is looked for in the next. */
export const QUALITIES: readonly RecordedQuality[] = [0, 1, 2];
