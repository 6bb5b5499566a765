// Asks the browser once per codec whether it can play it, by the interface that live tiles use.

export interface CodecSupport {
  /** `codec` is an RFC 6381 string (`avc1.640028`) or a family name (`h264`, `h265`). */
  canPlay(codec: string): boolean;
}

const FAMILY: Readonly<Record<string, string>> = {
  h264: 'avc1.640028',
  h265: 'hvc1.1.6.L120.B0',
  hevc: 'hvc1.1.6.L120.B0',
  aac: 'mp4a.40.2',
  // JPEG frames need no decoder of the media stack.
  mjpeg: '',
  jpeg: '',
};

/** MediaSource or, where only that exists (iPhone), ManagedMediaSource. */
export function mediaSourceClass(): typeof MediaSource | undefined {
  const scope = globalThis as { MediaSource?: typeof MediaSource; ManagedMediaSource?: typeof MediaSource };
  return scope.ManagedMediaSource ?? scope.MediaSource;
}

export function browserCodecSupport(): CodecSupport {
  const known = new Map<string, boolean>();
  return {
    canPlay(codec) {
      const text = FAMILY[codec.toLowerCase()] ?? codec;
      if (text === '') return true;
      const seen = known.get(text);
      if (seen !== undefined) return seen;
      const type = text.startsWith('mp4a') || text === 'opus' ? 'audio' : 'video';
      const answer = mediaSourceClass()?.isTypeSupported(`${type}/mp4; codecs="${text}"`) ?? false;
      known.set(text, answer);
      return answer;
    },
  };
}
