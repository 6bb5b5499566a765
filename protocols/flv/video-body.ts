// Bodies of FLV video tags, which RTMP carries unchanged: H.264 (Adobe FLV 10.1, E.4.3) and H.265 (Enhanced RTMP v1).

export type FlvVideoCodec = 'h264' | 'h265';

export interface FlvVideoFrame {
  readonly isKey: boolean;
  /** Presentation minus decode time in milliseconds. */
  readonly compositionMs: number;
  /** NAL units with 4-byte length prefixes. */
  readonly data: Uint8Array;
}

const AVC = 7;
const KEY_FRAME = 1;
const INTER_FRAME = 2;
const SEQUENCE_HEADER = 0;
const CODED_FRAMES = 1;
/** Without a composition time, which is 0. */
const CODED_FRAMES_X = 3;
const EXTENDED = 0x80;
const HVC1 = [0x68, 0x76, 0x63, 0x31];

/** What comes before the first frame. `config`: the avcC or hvcC record. */
export function videoConfigBody(codec: FlvVideoCodec, config: Uint8Array): readonly Uint8Array[] {
  const header =
    codec === 'h264'
      ? [(KEY_FRAME << 4) | AVC, SEQUENCE_HEADER, 0, 0, 0]
      : [EXTENDED | (KEY_FRAME << 4) | SEQUENCE_HEADER, ...HVC1];
  return [Uint8Array.from(header), config];
}

export function videoFrameBody(codec: FlvVideoCodec, frame: FlvVideoFrame): readonly Uint8Array[] {
  const { isKey, compositionMs, data } = frame;
  const frameType = (isKey ? KEY_FRAME : INTER_FRAME) << 4;
  const composition = [(compositionMs >> 16) & 0xff, (compositionMs >> 8) & 0xff, compositionMs & 0xff];
  if (codec === 'h264') return [Uint8Array.of(frameType | AVC, CODED_FRAMES, ...composition), data];
  const header =
    compositionMs === 0
      ? [EXTENDED | frameType | CODED_FRAMES_X, ...HVC1]
      : [EXTENDED | frameType | CODED_FRAMES, ...HVC1, ...composition];
  return [Uint8Array.from(header), data];
}
