// Stream of a tile by the number of windows on the wall (LM-02).
import { QUALITY, type Quality } from '@vedette/contract/enumerations.ts';

export interface OfferedStreams {
  readonly hasSecond: boolean;
  readonly hasThird: boolean;
}

const MOST_WITH_MAIN = 4;
const MOST_WITH_SECOND = 9;

/** Up to 4 windows main; up to 9 second if enabled; more third if enabled, else second. Without a smaller stream: main. */
export function chooseStream(windows: number, offered: OfferedStreams): Quality {
  if (windows <= MOST_WITH_MAIN) return QUALITY.main;
  const second = offered.hasSecond ? QUALITY.second : QUALITY.main;
  if (windows <= MOST_WITH_SECOND) return second;
  return offered.hasThird ? QUALITY.third : second;
}

/** A channel's streams as `streamNum` counts them: main, then second, then third. */
export function offeredStreams(streamNum: number): OfferedStreams {
  return { hasSecond: streamNum >= 2, hasThird: streamNum >= 3 };
}

export interface StreamOffer {
  readonly quality: number;
  /** Family, for example `h264`. */
  readonly codec: string;
}

/**
 * The stream for a viewer who asked for a quality: the asked one, else the next better, else the next smaller, among those
 * whose codec it decodes; undefined where there is none.
 * @param codecs families that the viewer decodes; absent means all
 */
export function nearestStream<Offer extends StreamOffer>(
  streams: readonly Offer[],
  quality: number,
  codecs?: readonly string[],
): Offer | undefined {
  const playable = streams
    .filter((stream) => codecs === undefined || codecs.includes(stream.codec))
    .toSorted((one, other) => one.quality - other.quality);
  return playable.findLast((stream) => stream.quality <= quality) ?? playable[0];
}
