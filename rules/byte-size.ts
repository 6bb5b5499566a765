// Readable byte sizes, by powers of 1000 as disks are sold.
export type SizeUnit = 'bytes' | 'kb' | 'mb' | 'gb' | 'tb';
export const GIGABYTE = 1e9;

const UNITS: readonly SizeUnit[] = ['bytes', 'kb', 'mb', 'gb', 'tb'];

export interface ReadableSize {
  readonly value: string;
  readonly unit: SizeUnit;
}

/** Three digits at most: `1.5 GB`, `12.3 GB`, `240 GB`. */
export function readableSize(bytes: number): ReadableSize {
  let value = Math.max(0, bytes);
  let step = 0;
  while (value >= 1000 && step < UNITS.length - 1) {
    value /= 1000;
    step += 1;
  }
  const digits = step === 0 || value >= 100 ? 0 : 1;
  return { value: value.toFixed(digits).replace(/\.0$/, ''), unit: UNITS[step] ?? 'bytes' };
}
