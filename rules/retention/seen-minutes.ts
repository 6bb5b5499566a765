// In which minutes a channel was looked at, and which classes of objects were in view: a bit for each minute of a day. Pure.
import { OBJECT_CLASSES, type ObjectClass } from '@vedette/contract/enumerations.ts';
import { DAY_MS, MINUTE_MS } from '@vedette/foundation/units/durations.ts';

/** An object is seen somewhat later than it comes, and frames somewhat later than they are captured. */
const PADDING_MINUTES = 1;
const LOOKED = 'looked';

type Kind = ObjectClass | typeof LOOKED;
/** Bits of one day, by what they tell; absent: none. */
export type SeenDay = Partial<Record<Kind, Uint8Array>>;

export const SEEN_DAY_BYTES = DAY_MS / MINUTE_MS / 8;
export const SEEN_KINDS = [LOOKED, ...OBJECT_CLASSES] as const;

export class SeenMinutes {
  /** By days since 1970 UTC. */
  readonly #days = new Map<number, SeenDay>();

  /** Somebody looked at `atMs` and saw objects of these classes. True where that is new. */
  mark(atMs: number, classes: Iterable<ObjectClass>): boolean {
    const minute = Math.floor(atMs / MINUTE_MS);
    let isNew = false;
    for (const kind of [LOOKED, ...classes] as const) isNew = this.#set(kind, minute) || isNew;
    return isNew;
  }

  /** From one time to another the channel was looked at without a pause, and none of the classes was in view. */
  isEmpty(classes: readonly ObjectClass[], startMs: number, endMs: number): boolean {
    const first = Math.floor(startMs / MINUTE_MS) - PADDING_MINUTES;
    const last = Math.floor(endMs / MINUTE_MS) + PADDING_MINUTES;
    for (let minute = first; minute <= last; minute += 1) {
      if (!this.#has(LOOKED, minute) || classes.some((one) => this.#has(one, minute))) return false;
    }
    return true;
  }

  /** Null for a day of which nothing is known. */
  day(day: number): SeenDay | null {
    return this.#days.get(day) ?? null;
  }

  load(day: number, bits: SeenDay): void {
    this.#days.set(day, bits);
  }

  forgetBefore(day: number): void {
    for (const known of this.#days.keys()) if (known < day) this.#days.delete(known);
  }

  #set(kind: Kind, minute: number): boolean {
    if (this.#has(kind, minute)) return false;
    const { day, byte, bit } = placeOf(minute);
    const bits = this.#days.get(day) ?? {};
    this.#days.set(day, bits);
    const bytes = (bits[kind] ??= new Uint8Array(SEEN_DAY_BYTES));
    bytes[byte] = (bytes[byte] ?? 0) | bit;
    return true;
  }

  #has(kind: Kind, minute: number): boolean {
    const { day, byte, bit } = placeOf(minute);
    return ((this.#days.get(day)?.[kind]?.[byte] ?? 0) & bit) !== 0;
  }
}

export function dayOfMs(atMs: number): number {
  return Math.floor(atMs / DAY_MS);
}

function placeOf(minute: number) {
  const day = Math.floor(minute / (SEEN_DAY_BYTES * 8));
  const ofDay = minute - day * SEEN_DAY_BYTES * 8;
  return { day, byte: ofDay >> 3, bit: 1 << (ofDay & 7) };
}
