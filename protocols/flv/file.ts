// FLV as a file or a stream over HTTP: the header, and tags around the bodies that RTMP carries too (Adobe FLV 10.1, annex E).
import { writeAmf } from '../amf/amf0.ts';

export type FlvTagKind = 'audio' | 'video' | 'script';

const TAG_TYPE: Readonly<Record<FlvTagKind, number>> = { audio: 8, video: 9, script: 18 };
const TAG_HEAD_BYTES = 11;
const HAS_VIDEO = 1;
const HAS_AUDIO = 4;

/** With the size of the tag before the first one, which is 0. */
export function flvHeader({ hasAudio }: { readonly hasAudio: boolean }): Uint8Array {
  return Uint8Array.of(0x46, 0x4c, 0x56, 1, hasAudio ? HAS_AUDIO | HAS_VIDEO : HAS_VIDEO, 0, 0, 0, 9, 0, 0, 0, 0);
}

/** @param timeMs decode time; of its 32 bits the highest eight stand last */
export function flvTag(kind: FlvTagKind, timeMs: number, body: readonly Uint8Array[]): readonly Uint8Array[] {
  const size = body.reduce((sum, { length }) => sum + length, 0);
  const head = new Uint8Array(TAG_HEAD_BYTES);
  const view = new DataView(head.buffer);
  view.setUint32(0, size);
  head[0] = TAG_TYPE[kind];
  view.setUint32(4, (timeMs % 2 ** 24) * 256);
  head[7] = Math.floor(timeMs / 2 ** 24) & 0xff;
  const tail = new Uint8Array(4);
  new DataView(tail.buffer).setUint32(0, TAG_HEAD_BYTES + size);
  return [head, ...body, tail];
}

export function flvMetadataTag(metadata: { readonly [key: string]: number }): readonly Uint8Array[] {
  return flvTag('script', 0, [writeAmf(['onMetaData', metadata])]);
}
