// Whether two formats can share one init segment.
import type { AudioFormat, MediaFormat, VideoFormat } from './stream.ts';

export function isSameFormat(a: MediaFormat, b: MediaFormat): boolean {
  return isSameTrack(a.video, b.video) && isSameTrack(a.audio, b.audio) && a.audio?.sampleRate === b.audio?.sampleRate;
}

function isSameTrack(a: VideoFormat | AudioFormat | null, b: VideoFormat | AudioFormat | null): boolean {
  if (a === null || b === null) return a === b;
  // The codec configuration holds the size, but JPEG has none.
  if ('width' in a && 'width' in b && (a.width !== b.width || a.height !== b.height)) return false;
  return a.codec === b.codec && a.codecString === b.codecString && a.config.equals(b.config);
}
