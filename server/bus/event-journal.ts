// Journal of the newest events with sequence numbers and audiences, so that a page can resume after a disconnect.
import type { PushEvent } from '@vedette/contract/calls/page-events.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import type { RightsObject } from '@vedette/rules/decide/rights.ts';

export type Audience =
  | {
      readonly kind: 'object';
      readonly object: RightsObject;
      /** Required right; null: any. */
      readonly action: Permission | null;
      /** Hidden from browsers (PM-05). */
      readonly isHiddenFromWeb: boolean;
    }
  | { readonly kind: 'accounts'; readonly accountIds: ReadonlySet<string> }
  /** Every account with devices, or with this right on another's device. */
  | { readonly kind: 'holders'; readonly action: Permission };

export interface JournalEntry {
  readonly seq: number;
  readonly event: PushEvent;
  readonly audience: Audience;
}

const HELD_MAX = 5000;

export class EventJournal {
  readonly #entries: JournalEntry[] = [];
  #seq: number;

  /** Starts from the clock, so that numbers of earlier runs are always lower. */
  constructor(options: { startedAt: number }) {
    this.#seq = options.startedAt * 1000;
  }

  get newest(): number {
    return this.#seq;
  }

  append(event: PushEvent, audience: Audience): JournalEntry {
    this.#seq += 1;
    const entry = { seq: this.#seq, event, audience };
    this.#entries.push(entry);
    if (this.#entries.length > HELD_MAX) this.#entries.shift();
    return entry;
  }

  /** Null if events after `since` were dropped, or `since` is unknown. */
  after(since: number): readonly JournalEntry[] | null {
    if (since > this.#seq) return null;
    const oldest = this.#entries[0]?.seq ?? this.#seq + 1;
    if (since < oldest - 1) return null;
    return this.#entries.filter((entry) => entry.seq > since);
  }
}
