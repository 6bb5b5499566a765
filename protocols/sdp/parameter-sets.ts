// Takes H.264, H.265 and AAC codec configuration out of SDP fmtp parameters (RFC 6184 8.1, RFC 7798 7.1, RFC 3640 4.1).
import { trimNal } from '../h264/nal.ts';
import type { SdpMedia } from './sdp.ts';

const MAX_SETS = 16;
const MAX_SET_BYTES = 4096;

/** Parameter sets as NAL units without start code; empty when the device sends them in the stream only. */
export function spropParameterSets(media: SdpMedia): Uint8Array[] {
  const isH265 = media.encoding === 'H265' || media.encoding === 'HEVC';
  const names = isH265 ? ['sprop-vps', 'sprop-sps', 'sprop-pps'] : ['sprop-parameter-sets'];
  return names
    .flatMap((name) => (media.parameters.get(name) ?? '').split(','))
    .slice(0, MAX_SETS)
    .map((text) => trimNal(Buffer.from(text.trim(), 'base64')))
    .filter((set) => set.length > 2 && set.length <= MAX_SET_BYTES);
}

/** AudioSpecificConfig of a MPEG4-GENERIC track, StreamMuxConfig of a MP4A-LATM track; empty when it is missing or not hexadecimal. */
export function aacConfig(media: SdpMedia): Uint8Array {
  const text = media.parameters.get('config') ?? '';
  return /^([0-9a-f]{2}){2,64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.alloc(0);
}

/** Whether H.265 packets carry decoding order numbers (RFC 7798 7.1: they do where reordering is allowed). */
export function usesDecodingOrder(media: SdpMedia): boolean {
  return Number(media.parameters.get('sprop-max-don-diff') ?? 0) > 0;
}

export interface AuHeaderSizes {
  readonly sizeLength: number;
  readonly indexLength: number;
  readonly indexDeltaLength: number;
}

/** Lengths of the AU header fields in bits; AAC-hbr (13, 3, 3) is what devices that leave them out mean. */
export function auHeaderSizes(media: SdpMedia): AuHeaderSizes {
  const read = (name: string, fallback: number): number => {
    const text = media.parameters.get(name) ?? '';
    return /^\d{1,2}$/.test(text) ? Math.min(32, Number(text)) : fallback;
  };
  return {
    sizeLength: read('sizelength', 13),
    indexLength: read('indexlength', 3),
    indexDeltaLength: read('indexdeltalength', 3),
  };
}
