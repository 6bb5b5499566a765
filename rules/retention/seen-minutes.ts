// In which minutes a channel was looked at for which classes of objects, and which were in view: a bit for each minute of a day. Pure.
import { OBJECT_CLASSES, type ObjectClass } from '@vedette/contract/enumerations.ts';
import { DAY_MS, MINUTE_MS } from '@vedette/foundation/units/durations.ts';

/** An object is seen somewhat later than it comes, and frames somewhat later than they are captured. */
const PADDING_MINUTES = 1;

type Kind = ObjectClass | `looked:${ObjectClass}`;
/** Bits of one day, by what they tell; absent: none. */
export type SeenDay = Partial<Record<Kind, Uint8Array>>;

export const SEEN_DAY_BYTES = DAY_MS / MINUTE_MS / 8;
export const SEEN_KINDS: readonly Kind[] = OBJECT_CLASSES.flatMap((one) => [one, lookedFor(one)]);

export class SeenMinutes {
  /** By days since 1970 UTC. */
  readonly #days = new Map<number, SeenDay>();

  /** Objects of the class were in view. True where that is new. */
  see(minute: number, objectClass: ObjectClass): boolean {
    return this.#set(objectClass, minute);
  }

  /** Somebody looked for the class from the beginning of the minute to its end. True where that is new. */
  look(minute: number, objectClass: ObjectClass): boolean {
    return this.#set(lookedFor(objectClass), minute);
  }

  /** From one time to another the channel was looked at for each of the classes without a pause, and none was in view. */
  isEmpty(classes: readonly ObjectClass[], startMs: number, endMs: number): boolean {
    const first = minuteOf(startMs) - PADDING_MINUTES;
    const last = minuteOf(endMs) + PADDING_MINUTES;
    for (let minute = first; minute <= last; minute += 1) {
      if (!classes.every((one) => this.#has(lookedFor(one), minute) && !this.#has(one, minute))) return false;
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

export function minuteOf(atMs: number): number {
  return Math.floor(atMs / MINUTE_MS);
}

export function dayOfMinute(minute: number): number {
  return Math.floor(minute / (SEEN_DAY_BYTES * 8));
}

function lookedFor<C extends ObjectClass>(objectClass: C): `looked:${C}` {
  return `looked:${objectClass}`;
}

function placeOf(minute: number) {
  const day = dayOfMinute(minute);
  const ofDay = minute - day * SEEN_DAY_BYTES * 8;
  return { day, byte: ofDay >> 3, bit: 1 << (ofDay & 7) };
}
