// Puts ISO base media boxes together (ISO/IEC 14496-12 4.2); for small boxes only, not for samples.

export type BoxContent = Uint8Array | readonly number[];

/** A box of one type around its contents in order. */
export function box(type: string, ...contents: readonly BoxContent[]): Uint8Array {
  const size = contents.reduce((sum, content) => sum + content.length, 8);
  const bytes = new Uint8Array(size);
  bytes.set(u32(size), 0);
  bytes.set(fourCc(type), 4);
  let at = 8;
  for (const content of contents) {
    bytes.set(content, at);
    at += content.length;
  }
  return bytes;
}

/** A box with version and flags. */
export function fullBox(type: string, version: number, flags: number, ...contents: readonly BoxContent[]): Uint8Array {
  return box(type, u32(((version << 24) | flags) >>> 0), ...contents);
}

export function u16(value: number): number[] {
  return [(value >> 8) & 0xff, value & 0xff];
}

export function u32(value: number): number[] {
  return [(value >>> 24) & 0xff, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
}

export function fourCc(type: string): number[] {
  return [...type].map((letter) => letter.charCodeAt(0));
}

export function zeros(count: number): number[] {
  return Array.from({ length: count }, () => 0);
}
