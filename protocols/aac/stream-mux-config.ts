// Reads the StreamMuxConfig of MP4A-LATM as cameras send it: one program, one layer, AAC-LC (ISO/IEC 14496-3 1.7.3).
import { BitReader, BitstreamError } from '../bits/bit-reader.ts';

const AAC_LC = 2;
const OWN_RATE = 15;
/** Some write the whole configuration here, hints of HE-AAC included; otherwise the frame length type is next. */
const SYNC_EXTENSION = 0x2b7;

/** The AudioSpecificConfig in it. Throws BitstreamError for anything but the one form that is in use. */
export function audioConfigOfMux(config: Uint8Array): Uint8Array {
  const reader = new BitReader(config);
  const version = reader.bits(1);
  const isOneTiming = reader.flag();
  const [frames, programs, layers] = [reader.bits(6), reader.bits(4), reader.bits(3)];
  const [objectType, rate, layout] = [reader.bits(5), reader.bits(4), reader.bits(4)];
  const isShort = reader.bits(1);
  const [dependsOnCore, extension] = [reader.bits(1), reader.bits(1)];
  const next = reader.bits(11);
  const isPlain = version === 0 && isOneTiming && frames + programs + layers + dependsOnCore + extension === 0;
  if (!isPlain || objectType !== AAC_LC || rate === OWN_RATE || (next >> 8 !== 0 && next !== SYNC_EXTENSION)) {
    throw new BitstreamError('LATM form not supported');
  }
  return Uint8Array.of((AAC_LC << 3) | (rate >> 1), ((rate & 1) << 7) | (layout << 3) | (isShort << 2));
}
