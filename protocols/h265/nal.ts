// Names and small questions about H.265 NAL units (ITU-T H.265 7.3.1.2, table 7-1); usable in browsers.

export const H265_NAL = {
  vps: 32,
  sps: 33,
  pps: 34,
  delimiter: 35,
  endOfSequence: 36,
  filler: 38,
  seiPrefix: 39,
} as const;

export function h265NalType(header: number): number {
  return (header >> 1) & 0x3f;
}

export function isH265Picture(type: number): boolean {
  return type < 32;
}

/** Intra random access points: BLA, IDR, CRA and their reserved kin. */
export function isH265Key(type: number): boolean {
  return type >= 16 && type <= 23;
}
