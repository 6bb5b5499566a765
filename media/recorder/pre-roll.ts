// Pre-roll buffer: the last seconds of a stream from a keyframe on, for recordings that begin before their trigger.
import type { AccessUnit, DiscontinuityReason } from '../stream/stream.ts';

interface Group {
  readonly startMs: number;
  /** The time line breaks before it. */
  readonly broken: DiscontinuityReason | null;
  readonly units: AccessUnit[];
  bytes: number;
}

export interface HeldGroup {
  readonly broken: DiscontinuityReason | null;
  readonly units: readonly AccessUnit[];
  readonly bytes: number;
}

/** Memory limit: beyond it the oldest GOPs are dropped, even if the pre-roll gets shorter. */
export const PRE_ROLL_MAX_BYTES = 24 * 1024 * 1024;

export class PreRoll {
  readonly #maxBytes: number;
  #groups: Group[] = [];
  #bytes = 0;
  #broken: DiscontinuityReason | null = null;
  /** Frames before a keyframe, and GOPs over the limit, are not held. */
  #isOpen = false;

  constructor(maxBytes: number = PRE_ROLL_MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Holds `keepMs` of recordings before this unit, rounded up to a keyframe. */
  add(unit: AccessUnit, keepMs: number): void {
    if (unit.track === 'video' && unit.isKey) this.#begin(unit.wallMs);
    const group = this.#groups.at(-1);
    if (!this.#isOpen || !group) return;
    unit.slab?.hold();
    group.units.push(unit);
    group.bytes += unit.data.length;
    this.#bytes += unit.data.length;
    this.#trim(unit.wallMs - keepMs);
  }

  discontinuity(reason: DiscontinuityReason): void {
    this.#broken = reason;
    this.#isOpen = false;
  }

  clear(): void {
    for (const group of this.#groups) letGo(group);
    this.#groups = [];
    this.#bytes = 0;
    this.#isOpen = false;
    this.#broken = null;
  }

  /** From the newest keyframe at or before `wallMs`; everything held if none is that old. */
  since(wallMs: number): readonly HeldGroup[] {
    const at = this.#groups.findLastIndex((group) => group.startMs <= wallMs);
    return this.#groups.slice(Math.max(0, at));
  }

  #begin(startMs: number): void {
    this.#groups.push({ startMs, broken: this.#broken, units: [], bytes: 0 });
    this.#broken = null;
    this.#isOpen = true;
  }

  #trim(oldestMs: number): void {
    while (this.#groups.length > 1 && (this.#groups[1] as Group).startMs <= oldestMs) this.#dropOldest();
    while (this.#bytes > this.#maxBytes) {
      if (this.#groups.length === 1) {
        this.clear();
        return;
      }
      this.#dropOldest();
    }
  }

  #dropOldest(): void {
    const oldest = this.#groups.shift();
    if (!oldest) return;
    this.#bytes -= oldest.bytes;
    letGo(oldest);
  }
}

function letGo({ units }: Group): void {
  for (const { slab } of units) slab?.release();
}
