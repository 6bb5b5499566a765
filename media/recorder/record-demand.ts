// Decides what is to be recorded of a channel at an instant: by its plan and by triggered events.
import { RECORD_PLAN_TYPE } from '@vedette/contract/enumerations.ts';
import type { RecordOrder } from '@vedette/contract/site/site.ts';
import { PlanClock } from '@vedette/rules/time-plan/plan-clock.ts';
import type { TimeRange } from '../recordings/gaps/track-notes.ts';

export interface DemandOrder {
  /** Absent: always. */
  readonly plan?: RecordOrder['plan'];
  readonly preRollMs: number;
}

/** Lead of connecting the stream before the plan begins, for its first keyframe. */
const LEAD_MS = 15_000;
/** Held beside the pre-roll, so that the keyframe before a planned second is available. */
const HELD_MS = 4000;
const EVENTS_KEPT = 64;
/** After an event ended, recording may continue this long up to a keyframe. */
const EVENT_END_MS = 60_000;

export class RecordDemand {
  #plan: PlanClock | null = null;
  #preRollMs = 0;
  /** With their pre-roll; newest last. */
  #events: TimeRange[] = [];

  /** Throws RangeError for an unknown time zone. */
  follow({ plan, preRollMs }: DemandOrder): void {
    this.#plan = plan ? new PlanClock(plan) : null;
    this.#preRollMs = preRollMs;
  }

  /** Returns marked recordings: with the pre-roll, and with a running event. */
  trigger(startMs: number, endMs: number): TimeRange {
    const asked = { startMs: startMs - this.#preRollMs, endMs };
    const before = this.#events.findLast((one) => one.endMs >= asked.startMs && one.startMs <= asked.endMs);
    if (!before) return this.#remember(asked);
    this.#events = this.#events.filter((one) => one !== before);
    return this.#remember({
      startMs: Math.min(before.startMs, asked.startMs),
      endMs: Math.max(before.endMs, asked.endMs),
    });
  }

  /** After a restart: continues an event that was running. */
  resume(event: TimeRange): void {
    this.#remember(event);
  }

  isEvent(wallMs: number): boolean {
    return this.#eventAt(wallMs) !== null;
  }

  /** Where the recording for an event at `wallMs` begins; null where none is held. */
  wantedSince(wallMs: number): number | null {
    const event = this.#eventAt(wallMs);
    if (event) return event.startMs;
    return this.#typeAt(wallMs) === RECORD_PLAN_TYPE.continuous ? wallMs : null;
  }

  /** True if nothing may be recorded from this instant on: by plan, and no event ends here. */
  endsSharply(wallMs: number): boolean {
    return this.#typeAt(wallMs) === null && !this.#events.some(({ endMs }) => endMs > wallMs - EVENT_END_MS);
  }

  /** The stream must be connected: recorded, watched for events, or about to be. */
  needsStream(wallMs: number): boolean {
    return (
      this.wantedSince(wallMs) !== null || this.#typeAt(wallMs) !== null || this.#typeAt(wallMs + LEAD_MS) !== null
    );
  }

  /** Length of the buffer needed. */
  get holdsMs(): number {
    return this.#preRollMs + HELD_MS;
  }

  /** Called for every frame: allocates nothing. */
  #eventAt(wallMs: number): TimeRange | null {
    for (const event of this.#events) if (event.startMs <= wallMs && wallMs < event.endMs) return event;
    return null;
  }

  #typeAt(wallMs: number): number | null {
    return this.#plan ? this.#plan.at(wallMs).type : RECORD_PLAN_TYPE.continuous;
  }

  #remember(event: TimeRange): TimeRange {
    this.#events.push(event);
    if (this.#events.length > EVENTS_KEPT) this.#events.shift();
    return event;
  }
}
