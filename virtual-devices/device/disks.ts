// The storages of a virtual device: a card or disks that fill, fail, and are formatted.

export type DiskState = 'ok' | 'unformatted' | 'error' | 'missing';

export interface Disk {
  readonly id: string;
  readonly name: string;
  readonly kind: 'card' | 'disk';
  readonly totalBytes: number;
  usedBytes: number;
  state: DiskState;
}

const GIB = 1024 ** 3;
const FORMAT_MS = 2400;

export class Disks {
  readonly list: readonly Disk[];
  /** The oldest recordings are overwritten by the newest. */
  overwrite = true;
  private readonly nowMs: () => number;
  private formatting: { readonly id: string; readonly sinceMs: number } | null = null;

  constructor(kind: 'camera' | 'recorder', nowMs: () => number) {
    this.nowMs = nowMs;
    const disk = (number: number, size: number, used: number): Disk => {
      const isCard = kind === 'camera';
      const name = isCard ? 'SD card' : `Disk ${number}`;
      return {
        id: String(number),
        name,
        kind: isCard ? 'card' : 'disk',
        totalBytes: size * GIB,
        usedBytes: Math.round(size * used) * GIB,
        state: 'ok',
      };
    };
    this.list = kind === 'camera' ? [disk(1, 64, 0.8)] : [disk(1, 4096, 0.95), disk(2, 4096, 0.4)];
  }

  /** False: there is no such disk, or one is being formatted. */
  format(id: string): boolean {
    const disk = this.list.find((one) => one.id === id);
    if (disk === undefined || disk.state === 'missing' || this.percentOf() !== null) return false;
    this.formatting = { id, sinceMs: this.nowMs() };
    disk.usedBytes = 0;
    return true;
  }

  /** Null: nothing is being formatted. */
  percentOf(): number | null {
    if (this.formatting === null) return null;
    const share = (this.nowMs() - this.formatting.sinceMs) / FORMAT_MS;
    if (share < 1) return Math.floor(share * 100);
    const disk = this.list.find(({ id }) => id === this.formatting?.id);
    if (disk !== undefined) disk.state = 'ok';
    this.formatting = null;
    return null;
  }
}
