// G.711 sound, A-law and u-law, to and from 16-bit linear samples (ITU-T G.711); usable in browsers.

export type G711Law = 'pcma' | 'pcmu';

function alawToLinear(code: number): number {
  const value = code ^ 0x55;
  const exponent = (value >> 4) & 7;
  const mantissa = value & 15;
  const magnitude = exponent === 0 ? (mantissa << 4) + 8 : ((mantissa << 4) + 0x108) << (exponent - 1);
  return (value & 0x80) !== 0 ? magnitude : -magnitude;
}

function ulawToLinear(code: number): number {
  const value = ~code & 0xff;
  const magnitude = ((((value & 15) << 3) + 0x84) << ((value >> 4) & 7)) - 0x84;
  return (value & 0x80) !== 0 ? -magnitude : magnitude;
}

function linearToAlaw(sample: number): number {
  const sign = sample >= 0 ? 0x80 : 0;
  const magnitude = Math.min(32767, sample >= 0 ? sample : -sample - 1);
  const exponent = magnitude < 256 ? 0 : 24 - Math.clz32(magnitude);
  const mantissa = exponent === 0 ? magnitude >> 4 : (magnitude >> (exponent + 3)) & 15;
  return (sign | (exponent << 4) | mantissa) ^ 0x55;
}

function linearToUlaw(sample: number): number {
  const magnitude = Math.min(32635, Math.abs(sample)) + 0x84;
  const exponent = 24 - Math.clz32(magnitude);
  const mantissa = (magnitude >> (exponent + 3)) & 15;
  return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | mantissa) & 0xff;
}

const TO_LINEAR = {
  pcma: Int16Array.from({ length: 256 }, (_, code) => alawToLinear(code)),
  pcmu: Int16Array.from({ length: 256 }, (_, code) => ulawToLinear(code)),
};

export function decodeG711(law: G711Law, bytes: Uint8Array): Int16Array {
  const table = TO_LINEAR[law];
  return Int16Array.from(bytes, (code) => table[code] as number);
}

export function encodeG711(law: G711Law, samples: Int16Array): Uint8Array {
  return Uint8Array.from(samples, law === 'pcma' ? linearToAlaw : linearToUlaw);
}
