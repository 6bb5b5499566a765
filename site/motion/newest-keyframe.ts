// The newest keyframe of a stream that can be decoded, for samples of a channel's pictures.
import type { CodedKeyframe } from '@vedette/media/codec/codec-worker.ts';
import type { SharedStream } from '@vedette/media/stream/shared-stream.ts';

/** Null while there is none. `dts` tells one from the next. */
export function newestKeyframe(
  stream: SharedStream,
): { readonly dts: bigint | number; readonly picture: CodedKeyframe } | null {
  const newest = stream.latestKeyframe();
  const video = newest?.format.video;
  if (!newest || !video || video.codec === 'mjpeg') return null;
  const format = { ...video, codec: video.codec };
  return { dts: newest.unit.dts, picture: { format, data: newest.unit.data } };
}
