// Collects the audio of each fragment and places it on the run's timeline by its capture time.
import type { Mp4Sample } from '@vedette/protocols/mp4/fragment.ts';
import type { Slab, SlabPool } from '@vedette/protocols/rtp/slab-pool.ts';
import type { AccessUnit, AudioFormat } from '../stream/stream.ts';
import type { FragmentPart } from './fragment.ts';

/** Audio whose time differs from its wall clock by more (two clocks in the device) is placed anew. */
const DRIFT_MS = 300;
const AAC_FRAME_TICKS = 1024;
/** Half a second of most audio; grows if needed. */
const PIECE_BYTES = 8192;

export class AudioFragmenter {
  readonly #format: AudioFormat;
  readonly #slabs: SlabPool;
  /** Units are small and many: one write is much cheaper than one per unit. */
  #piece: Slab | null = null;
  #bytes = 0;
  #count = 0;
  #sizes: number[] = [];
  /** Per unit, on the run's time line. */
  #ticks: number[] = [];
  /** Run ticks minus the source's decode time; null until the first unit after a break. */
  #offset: number | null = null;
  #endTicks = 0;

  constructor(format: AudioFormat, slabs: SlabPool) {
    this.#format = format;
    this.#slabs = slabs;
  }

  /** `runMs` is the place of the unit on the run's time line, by wall clock. False: it lies before the run and is dropped. */
  add(unit: AccessUnit, runMs: number): boolean {
    const byWall = Math.round((runMs * this.#format.sampleRate) / 1000);
    const drift = (DRIFT_MS * this.#format.sampleRate) / 1000;
    if (this.#offset === null || Math.abs(unit.dts + this.#offset - byWall) > drift) {
      this.#offset = Math.max(byWall, this.#endTicks) - unit.dts;
    }
    const ticks = unit.dts + this.#offset;
    if (ticks < 0) return false;
    if (ticks < this.#endTicks && this.#count === 0) this.#offset += this.#endTicks - ticks;
    this.#append(unit.data);
    this.#sizes[this.#count] = unit.data.length;
    this.#ticks[this.#count] = unit.dts + this.#offset;
    this.#count += 1;
    this.#endTicks = unit.dts + this.#offset + this.#nominalTicks(unit.data.length);
    return true;
  }

  #append(data: Buffer): void {
    const end = this.#bytes + data.length;
    const piece = this.#piece && end <= this.#piece.bytes.length ? this.#piece : this.#larger(end);
    data.copy(piece.bytes, this.#bytes);
    this.#bytes = end;
  }

  #larger(bytes: number): Slab {
    const larger = this.#slabs.take(Math.max(PIECE_BYTES, bytes));
    this.#piece?.bytes.copy(larger.bytes, 0, 0, this.#bytes);
    this.#piece?.release();
    this.#piece = larger;
    return larger;
  }

  /** Decode times of the source start over. */
  break(): void {
    this.#offset = null;
  }

  /** Units since the last call and their memory, which the caller must release. */
  take(): { readonly part: FragmentPart; readonly slab: Slab } | null {
    const bytes = this.#bytes;
    const slab = this.#piece;
    if (this.#count === 0 || !slab) return null;
    const part = {
      startTicks: this.#ticks[0] as number,
      samples: this.#samples(),
      data: [slab.bytes.subarray(0, bytes)],
      bytes,
    };
    this.#piece = null;
    this.#bytes = 0;
    this.#count = 0;
    return { part, slab };
  }

  #samples(): Mp4Sample[] {
    const samples = new Array<Mp4Sample>(this.#count);
    for (let index = 0; index < this.#count; index++) {
      const size = this.#sizes[index] as number;
      const passed = index + 1 < this.#count ? (this.#ticks[index + 1] as number) - (this.#ticks[index] as number) : 0;
      const duration = passed > 0 ? passed : this.#nominalTicks(size);
      samples[index] = { size, duration, isKey: true, ctsOffset: 0 };
    }
    return samples;
  }

  #nominalTicks(size: number): number {
    switch (this.#format.codec) {
      case 'aac':
        return AAC_FRAME_TICKS;
      case 'opus':
        return Math.round(this.#format.sampleRate / 50);
      default:
        return Math.floor(size / Math.max(1, this.#format.channels));
    }
  }
}
