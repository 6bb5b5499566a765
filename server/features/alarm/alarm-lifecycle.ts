// Alarm life cycle: turns events into begun, repeated and ended alarms. Pure; the writer loads and stores.
import { ALARM_HOLD_S, type AlarmEndReason, type RaisedAlarmType } from '@vedette/contract/alarm-types.ts';
import { isInstant } from '@vedette/rules/alarm/topic-table.ts';
import type {
  AlarmChange,
  AlarmFacts,
  AlarmSource,
  NewAlarm,
  OpenAlarm,
  OpenChanges,
} from '../../database/alarm/alarm-rows.ts';

export interface RaisedEvent extends AlarmSource, AlarmFacts {
  readonly type: RaisedAlarmType;
  readonly at: number;
  /** The device will report no end. */
  readonly isPulse: boolean;
}

const PULSE_HOLD_MS = ALARM_HOLD_S * 1000;

export class AlarmLifecycle {
  readonly #open: Map<string, OpenAlarm>;
  readonly #stored: ReadonlyMap<string, OpenAlarm>;
  readonly #newId: (startTime: number) => string;
  readonly raised = new Map<string, NewAlarm>();
  readonly changed = new Map<string, AlarmChange>();

  /** `open`: all stored open alarms of the devices concerned. */
  constructor(options: { open: readonly OpenAlarm[]; newId: (startTime: number) => string }) {
    this.#open = new Map(options.open.map((one) => [keyOf(one, one.type), one]));
    this.#stored = new Map(this.#open);
    this.#newId = options.newId;
  }

  /** Returns the alarm that it raised or repeated. */
  raise(event: RaisedEvent): string {
    const { type, at } = event;
    const instant = isInstant(type);
    const before = instant ? undefined : this.#openAt(keyOf(event, type), at);
    if (before === undefined) return this.#begin(event, instant);
    // Repeated states are one state; once a state was reported, its end will be too.
    const holdUntil = event.isPulse && before.holdUntil !== null ? at + PULSE_HOLD_MS : null;
    if (holdUntil !== before.holdUntil) {
      this.#open.set(keyOf(event, type), { ...before, holdUntil });
      this.#setEnd(before, holdUntil, holdUntil === null ? null : 'held');
    }
    const raised = this.raised.get(before.alarmId);
    if (raised === undefined) this.#changeOf(before).repeats += 1;
    else raised.repeatCount += 1;
    return before.alarmId;
  }

  end(place: AlarmSource, types: readonly RaisedAlarmType[], at: number): void {
    for (const type of types) this.#close(keyOf(place, type), at, 'cleared');
  }

  /** A removed device reports nothing more. */
  deviceLost(deviceId: string, at: number): void {
    for (const [key, one] of this.#open) {
      if (one.deviceId === deviceId && one.type !== 'Offline') this.#close(key, at, 'offline');
    }
  }

  /** Of accounts that are gone: nothing that was raised for them is stored. */
  forgetOwners(gone: ReadonlySet<string>): void {
    for (const [alarmId, { ownerId }] of this.raised) {
      if (!gone.has(ownerId)) continue;
      this.raised.delete(alarmId);
      for (const [key, open] of this.#open) if (open.alarmId === alarmId) this.#open.delete(key);
    }
  }

  isOpen(place: AlarmSource, type: RaisedAlarmType): boolean {
    return this.#open.has(keyOf(place, type));
  }

  openChanges(): OpenChanges {
    const put = [...this.#open].filter(([key, one]) => this.#stored.get(key) !== one);
    return {
      begun: put.flatMap(([key, one]) => (this.#stored.has(key) ? [] : [one])),
      changed: put.flatMap(([key, one]) => (this.#stored.has(key) ? [one] : [])),
      gone: [...this.#stored].flatMap(([key, one]) => (this.#open.has(key) ? [] : [one])),
    };
  }

  #begin(event: RaisedEvent, instant: boolean): string {
    const { at: startTime, isPulse, ...rest } = event;
    const alarmId = this.#newId(startTime);
    const holdUntil = isPulse && !instant ? startTime + PULSE_HOLD_MS : null;
    const endReason = holdUntil === null ? null : 'held';
    // Pulses are stored with their end: only a repeat changes the row again.
    const endTime = instant ? startTime : holdUntil;
    this.raised.set(alarmId, { ...rest, alarmId, startTime, endTime, endReason, repeatCount: 0 });
    if (instant) return alarmId;
    const { deviceId, channelNo, sourceKey, type } = event;
    const open = { deviceId, channelNo, sourceKey, type, startTime, alarmId, holdUntil };
    this.#open.set(keyOf(event, type), open);
    return alarmId;
  }

  #openAt(key: string, at: number): OpenAlarm | undefined {
    const open = this.#open.get(key);
    if (open === undefined || open.holdUntil === null || open.holdUntil >= at) return open;
    this.#open.delete(key);
    // The end is stored already, but passing it is a change to publish.
    if (!this.raised.has(open.alarmId)) this.#changeOf(open);
    return undefined;
  }

  #close(key: string, at: number, endReason: AlarmEndReason): void {
    const open = this.#open.get(key);
    if (open === undefined) return;
    this.#open.delete(key);
    this.#setEnd(open, Math.max(open.startTime, at), endReason);
  }

  #setEnd(open: OpenAlarm, endTime: number | null, endReason: AlarmEndReason | null): void {
    const raised = this.raised.get(open.alarmId);
    if (raised === undefined) Object.assign(this.#changeOf(open), { endTime, endReason, isEndSet: true });
    else Object.assign(raised, { endTime, endReason });
  }

  #changeOf({ alarmId, startTime }: OpenAlarm): AlarmChange {
    const known = this.changed.get(alarmId);
    if (known !== undefined) return known;
    const change: AlarmChange = {
      alarmId,
      startTime,
      endTime: null,
      endReason: null,
      isEndSet: false,
      repeats: 0,
    };
    this.changed.set(alarmId, change);
    return change;
  }
}

function keyOf({ deviceId, channelNo, sourceKey }: AlarmSource, type: RaisedAlarmType): string {
  // The key is last, so that no two strings are ambiguous.
  return `${deviceId} ${channelNo} ${type} ${sourceKey}`;
}
