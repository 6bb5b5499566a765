// Cells of the motion detector as ONVIF packs them: a bit per cell from the top left, PackBits, base64 (ONVIF Analytics B.3.2).

const MOST_RUN = 128;

/** `1` for each watched cell, row by row. Null for what does not fill so many cells. */
export function readCellBits(text: string, cells: number): string | null {
  const packed = Buffer.from(text.trim(), 'base64');
  const bytes: number[] = [];
  const wanted = Math.ceil(cells / 8);
  for (let at = 0; at < packed.length && bytes.length < wanted; ) {
    const head = packed.readInt8(at++);
    if (head === -MOST_RUN) continue;
    if (head < 0) {
      const byte = packed[at++];
      if (byte === undefined) return null;
      for (let count = 1 - head; count > 0; count--) bytes.push(byte);
    } else {
      if (at + head + 1 > packed.length) return null;
      bytes.push(...packed.subarray(at, at + head + 1));
      at += head + 1;
    }
  }
  if (bytes.length < wanted) return null;
  return bytes
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .slice(0, cells);
}

export function writeCellBits(cells: string): string {
  const bytes = (cells.match(/.{1,8}/gu) ?? []).map((bits) => Number.parseInt(bits.padEnd(8, '0'), 2));
  const packed: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const run = runAt(bytes, at);
    if (run > 1) {
      packed.push(1 - run, bytes[at] as number);
      at += run;
      continue;
    }
    const from = at;
    while (at < bytes.length && at - from < MOST_RUN && runAt(bytes, at) < 2) at++;
    packed.push(at - from - 1, ...bytes.slice(from, at));
  }
  return Buffer.from(packed.map((byte) => byte & 0xff)).toString('base64');
}

function runAt(bytes: readonly number[], from: number): number {
  let to = from;
  while (to < bytes.length && to - from < MOST_RUN && bytes[to] === bytes[from]) to++;
  return to - from;
}
