// Corrects what a device described of its streams by what they carry at present.
import type { SiteStream } from '@vedette/contract/site/site.ts';
import type { MediaFormat } from '@vedette/media/stream/stream.ts';
import { streamKey } from '../core/stream-key.ts';

/** The format of a stream by its key; null while it is not open. */
export type FormatOf = (key: string) => MediaFormat | null;

export class StreamFacts {
  readonly #formatOf: FormatOf;
  /** The last format of each stream, also after it was closed. */
  readonly #last = new Map<string, NonNullable<MediaFormat['video']>>();

  constructor(formatOf: FormatOf) {
    this.#formatOf = formatOf;
  }

  /** `hasChanged`: a stream became another than was seen before, or than was described; true once for each change. */
  follow(
    deviceSerial: string,
    channelNo: number,
    described: readonly SiteStream[],
  ): { readonly streams: readonly SiteStream[]; readonly hasChanged: boolean } {
    let hasChanged = false;
    const streams = described.map((stream): SiteStream => {
      const key = streamKey(deviceSerial, channelNo, stream.quality);
      const open = this.#formatOf(key);
      const before = this.#last.get(key);
      if (open?.video) {
        this.#last.set(key, open.video);
        hasChanged ||= !isSame(before ?? stream, open.video);
        const { codec, width, height } = open.video;
        return { ...stream, codec, width, height, audio: open.audio?.codec ?? stream.audio };
      }
      // A description without a size: as it was when it was last open.
      if (stream.width > 0 || before?.codec !== stream.codec) return stream;
      return { ...stream, width: before.width, height: before.height };
    });
    return { streams, hasChanged };
  }
}

type Facts = Pick<SiteStream, 'codec' | 'width' | 'height'>;

function isSame(one: Facts, other: Facts): boolean {
  return one.codec === other.codec && one.width === other.width && one.height === other.height;
}
