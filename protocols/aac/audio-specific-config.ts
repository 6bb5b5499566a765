// Reads and writes the AAC AudioSpecificConfig (ISO/IEC 14496-3 1.6.2.1); usable in browsers.
import { BitReader, BitstreamError } from '../bits/bit-reader.ts';

export interface AudioSpecificConfig {
  readonly objectType: number;
  readonly sampleRate: number;
  readonly channels: number;
  /** Samples per frame: 1024, or 960 when frameLengthFlag is set. */
  readonly frameLength: number;
}

const RATES = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350];
const CHANNELS = [0, 1, 2, 3, 4, 5, 6, 8];

/** Throws BitstreamError and nothing else. */
export function parseAudioSpecificConfig(bytes: Uint8Array): AudioSpecificConfig {
  const reader = new BitReader(bytes);
  let objectType = readObjectType(reader);
  const sampleRate = readRate(reader);
  const channels = CHANNELS[reader.bits(4)] ?? 0;
  // HE-AAC (5) and HE-AAC v2 (29) name the rate of the extension first, then the AAC-LC core.
  if (objectType === 5 || objectType === 29) {
    readRate(reader);
    objectType = readObjectType(reader);
  }
  if (channels === 0) throw new BitstreamError('AAC channel configuration not supported');
  const frameLength = reader.bitsLeft() > 0 && reader.flag() ? 960 : 1024;
  return { objectType, sampleRate, channels, frameLength };
}

export function writeAudioSpecificConfig(sampleRate: number, channels: number): Uint8Array {
  const rate = RATES.indexOf(sampleRate);
  const layout = CHANNELS.indexOf(channels);
  if (rate < 0 || layout < 1) throw new BitstreamError('AAC format not in the tables');
  return Uint8Array.of((2 << 3) | (rate >> 1), ((rate & 1) << 7) | (layout << 3));
}

export function aacCodecString(objectType: number): string {
  return `mp4a.40.${objectType}`;
}

function readObjectType(reader: BitReader): number {
  const type = reader.bits(5);
  return type === 31 ? 32 + reader.bits(6) : type;
}

function readRate(reader: BitReader): number {
  const index = reader.bits(4);
  const rate = index === 15 ? reader.bits(24) : RATES[index];
  if (rate === undefined || rate < 1000 || rate > 192_000) throw new BitstreamError('AAC sample rate out of range');
  return rate;
}
