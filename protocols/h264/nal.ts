// Names and small questions about H.264 NAL units (ITU-T H.264 7.3.1, table 7-1); usable in browsers.

export const H264_NAL = {
  slice: 1,
  idr: 5,
  sei: 6,
  sps: 7,
  pps: 8,
  delimiter: 9,
  endOfSequence: 10,
  filler: 12,
} as const;

export function h264NalType(header: number): number {
  return header & 0x1f;
}

/** Slices that carry picture data (1 whole, 2 partition A, 5 IDR); partitions B and C (3, 4) never begin a picture. */
export function isH264Picture(type: number): boolean {
  return type >= 1 && type <= 5;
}

/** Splits a byte stream with start codes (Annex B) into NAL units, without copying; zero bytes after a unit are left out. */
export function splitAnnexB(bytes: Uint8Array): Uint8Array[] {
  const units: Uint8Array[] = [];
  let start = -1;
  let zeros = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte === 1 && zeros >= 2) {
      if (start >= 0) pushTrimmed(units, bytes, start, i - zeros);
      start = i + 1;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  if (start >= 0) pushTrimmed(units, bytes, start, bytes.length);
  return units;
}

/** Some devices leave a start code or zeros after a parameter set in their SDP; neither belongs to it (7.4.1). */
export function trimNal(nal: Uint8Array): Uint8Array {
  let end = nal.length;
  while (end > 0 && nal[end - 1] === 0) end -= 1;
  if (end >= 3 && nal[end - 1] === 1 && nal[end - 2] === 0 && nal[end - 3] === 0) {
    end -= 3;
    while (end > 0 && nal[end - 1] === 0) end -= 1;
  }
  return nal.subarray(0, end);
}

function pushTrimmed(units: Uint8Array[], bytes: Uint8Array, start: number, to: number): void {
  let end = to;
  while (end > start && bytes[end - 1] === 0) end -= 1;
  if (end > start) units.push(bytes.subarray(start, end));
}
