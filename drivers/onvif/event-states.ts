// Turns messages into events: remembers the state of each property, so that repeated states after a reconnect raise nothing.
import type { DeviceEvent, DeviceEventPhase } from '@vedette/contract/device-event.ts';
import type { EventMemory } from '../kit/event-feed.ts';
import type { EventMessage } from './event-message.ts';

interface Known {
  /** Null while only values are known. */
  isActive: boolean | null;
  /** Of `EventMessage.classes`; null where it is not known any more. */
  classes: string | null;
  /** When the start was last told, by the monotonic clock; -Infinity before. */
  toldAt: number;
}

/** A repeated start is reported again after this time at the earliest. */
const repeatMs = 10_000;
/** Sources remembered per device; the longest silent are dropped. */
const maxSources = 2_000;
/** Recent messages searched for duplicates, since devices send in parallel. */
const rememberedMessages = 256;

export class EventStates {
  readonly #known = new Map<string, Known>();
  readonly #seen = new Set<string>();
  readonly #memory: EventMemory | null;
  #isResumed: boolean;

  constructor(memory: EventMemory | null = null) {
    this.#memory = memory;
    for (const [source, isActive] of memory?.states ?? [])
      this.#known.set(source, { isActive, classes: null, toldAt: -Infinity });
    this.#isResumed = this.#known.size > 0;
  }

  /** Resumes after a break: an unknown source counts as having been off. */
  resume(): void {
    this.#isResumed = true;
  }

  /** Null if nothing changed. `nowMs` is the site's wall clock, `monotonicMs` its monotonic one. */
  take(message: EventMessage, nowMs: number, monotonicMs: number): DeviceEvent | null {
    if (this.#isDouble(message)) return null;
    const phase = this.#phaseOf(message, monotonicMs);
    if (phase === null) return null;
    const { topic, channelNo, key, deviceAt, source, data } = message;
    return { topic, phase, channelNo, key, at: nowMs, deviceAt, source, data };
  }

  /** Duplicate: same content and time, sent twice or by two subscriptions. Messages without a time cannot be compared. */
  #isDouble({ topic, operation, channelNo, key, deviceAt, data }: EventMessage): boolean {
    if (deviceAt === null || operation === 'initialized') return false;
    const mark = JSON.stringify([topic, operation, channelNo, key, deviceAt, data]);
    if (this.#seen.has(mark)) return true;
    this.#seen.add(mark);
    const [oldest] = this.#seen;
    if (this.#seen.size > rememberedMessages && oldest !== undefined) this.#seen.delete(oldest);
    return false;
  }

  #phaseOf(message: EventMessage, now: number): DeviceEventPhase | null {
    const { operation, isActive } = message;
    if (operation === 'pulse') return isActive === false ? 'end' : 'pulse';
    const source = JSON.stringify([message.topic, message.channelNo, message.key]);
    const before = this.#known.get(source);
    this.#known.delete(source);
    if (operation === 'deleted') return this.#forget(source, before);
    const known = this.#remember(source, message, before);
    if (operation === 'initialized') return this.#hasChanged(before, isActive) ? this.#turned(known, now) : null;
    if (isActive === null) return 'pulse';
    if (!isSameState(before, known)) return this.#turned(known, now);
    if (!isActive || now - known.toldAt < repeatMs) return null;
    return this.#turned(known, now);
  }

  #forget(source: string, before: Known | undefined): DeviceEventPhase | null {
    this.#memory?.remember(source, null);
    return before?.isActive === true ? 'end' : null;
  }

  #remember(source: string, { isActive, classes }: EventMessage, before: Known | undefined): Known {
    if (isActive !== null && before?.isActive !== isActive) this.#memory?.remember(source, isActive);
    const known: Known = { isActive, classes, toldAt: before?.toldAt ?? -Infinity };
    this.#known.set(source, known);
    this.#forgetOldest();
    return known;
  }

  /** States from before we listened are no changes; changes during an outage are. */
  #hasChanged(before: Known | undefined, isActive: boolean | null): boolean {
    const unknown = this.#isResumed ? false : null;
    const wasActive = before === undefined ? unknown : before.isActive;
    return wasActive !== null && isActive !== null && wasActive !== isActive;
  }

  #turned(known: Known, now: number): DeviceEventPhase {
    if (known.isActive !== true) return 'end';
    known.toldAt = now;
    return 'start';
  }

  #forgetOldest(): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size <= maxSources || oldest === undefined) return;
    this.#known.delete(oldest);
    this.#memory?.remember(oldest, null);
  }
}

function isSameState(before: Known | undefined, known: Known): boolean {
  return before?.isActive === known.isActive && before.classes === known.classes;
}
