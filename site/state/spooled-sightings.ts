// How many bytes the sightings in the spool take, and which of them are too many: they have pictures, and are never worth an alarm.
import type { SiteEvent } from '@vedette/contract/site/site.ts';

/** Some thousand of them, with their pictures. They are in memory too. */
const BYTES_MAX = 32 * 1024 * 1024;
/** Dropped in batches, since each costs a walk through the spool. */
const BYTES_LEFT = BYTES_MAX * 0.95;

interface Spooled {
  readonly seq: number;
  readonly bytes: number;
}

export class SpooledSightings {
  /** Oldest first. */
  #waiting: Spooled[] = [];
  #bytes = 0;

  /** Nothing happens with events of other kinds. */
  add({ seq, event }: { readonly seq: number; readonly event: SiteEvent }, bytes: number): void {
    if (event.kind !== 'sighting') return;
    this.#waiting.push({ seq, bytes });
    this.#bytes += bytes;
  }

  ack(acked: number): void {
    this.#takeWhile(({ seq }) => seq <= acked);
  }

  /** Numbers of the oldest ones, which the caller drops; usually none. */
  takeTooMany(): ReadonlySet<number> {
    if (this.#bytes <= BYTES_MAX) return new Set();
    return new Set(this.#takeWhile(() => this.#bytes > BYTES_LEFT).map(({ seq }) => seq));
  }

  #takeWhile(isTaken: (one: Spooled) => boolean): readonly Spooled[] {
    let count = 0;
    for (const one of this.#waiting) {
      if (!isTaken(one)) break;
      this.#bytes -= one.bytes;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }
}
