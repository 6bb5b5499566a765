// Stores alarms: a batch of events is one transaction with its outbox rows; expired pulses are ended.
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import type { RaisedAlarmType } from '@vedette/contract/alarm-types.ts';
import type { DeviceEventReport } from '@vedette/contract/site.ts';
import { type TopicOverride, TopicTable } from '@vedette/rules/alarms/topic-match.ts';
import type { Logger } from 'pino';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { dayOf, dropPartitionsBefore, makePartition } from '../../database/alarm-partitions.ts';
import {
  appendOutbox,
  changeAlarms,
  endHeldBefore,
  dropOldAlarmTraces,
  isAnyHeldBefore,
  insertAlarms,
  lockAlarms,
  openAlarmsAt,
  openAlarmsOf,
  takeNewEvents,
  writeOpenAlarms,
} from '../../database/alarm-write.queries.ts';
import { dropPicturesBefore } from '../../database/alarm-picture.queries.ts';
import type { Database } from '../../database/connection.ts';
import type { DeviceFacts } from '../../database/device.queries.ts';
import { armingPlansOf } from '../../database/arming.queries.ts';
import { AlarmFold } from './alarm-fold.ts';
import { ArmedTimes } from './armed-times.ts';
import { newAlarmId } from './alarm-id.ts';
import { type Bounds, clamp, type ReadEvent, readEvents, type ToldEvent } from './read-events.ts';

export interface AlarmSettings {
  readonly retentionDays: number;
  readonly topicList: readonly TopicOverride[];
}

export interface AlarmWriterParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: () => Promise<AlarmSettings>;
  /** Of this installation. */
  readonly timeZone: string;
}

/** How often held alarms are looked at: an end is late by no more. */
const EXPIRE_EVERY_MS = 1000;
/** In one commit, while events wait for their turn. */
const EXPIRED_AT_ONCE = 5000;
const TIDY_EVERY_MS = 3_600_000;
/** A site that was cut off for so long does not repeat what it was told was stored. */
const TRACES_KEPT_MS = 7 * DAY_MS;

export class AlarmWriter {
  readonly #parts: AlarmWriterParts;
  readonly #days = new Set<number>();
  #topics: { readonly text: string; readonly table: TopicTable } | null = null;
  #cancelExpire: (() => void) | null = null;
  #cancelTidy: (() => void) | null = null;

  constructor(parts: AlarmWriterParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#expireLater();
    this.#tidyLater(0);
  }

  close(): void {
    this.#cancelExpire?.();
    this.#cancelExpire = null;
    this.#cancelTidy?.();
  }

  /**
   * `work` tells the batch what happened, in order; all of it is stored in one commit, or it throws and nothing is.
   * `whole`: devices whose status, or what we notice of them, is told.
   */
  async write(
    {
      whole = [],
      told = [],
    }: { readonly whole?: Iterable<{ readonly deviceId: string }>; readonly told?: readonly ToldEvent[] },
    work: (batch: AlarmBatch) => Promise<void>,
  ): Promise<void> {
    const { database, clock, settings, timeZone } = this.#parts;
    const { retentionDays, topicList } = await settings();
    const now = clock.wallMs();
    const bounds = { oldest: (dayOf(now) - retentionDays) * DAY_MS, newest: now + DAY_MS };
    const events = readEvents(told, { topics: this.#topicsOf(topicList), bounds });
    for (const day of new Set([now, ...events.values().map(({ at }) => at)].map(dayOf))) await this.#prepareDay(day);
    await database.transaction().execute(async (transaction) => {
      await lockAlarms(transaction);
      const eventIds = Array.from(events.values(), ({ eventId }) => eventId);
      const newEvents = new Set(await takeNewEvents(transaction, eventIds, now));
      const deviceIds = [...new Set(whole)].map((device) => device.deviceId);
      const open = [
        ...(await openAlarmsAt(
          transaction,
          [...events.values()].flatMap((one) => one.open),
        )),
        ...(await openAlarmsOf(transaction, deviceIds)),
      ];
      const fold = new AlarmFold({ open, newId: newAlarmId });
      const concerned = new Set(told.map(({ device }) => device.deviceId));
      const armed = new ArmedTimes(await armingPlansOf(transaction, [...concerned]), timeZone);
      await work(new AlarmBatch({ database: transaction, fold, events, newEvents, bounds, armed }));
      await store(transaction, fold, now);
    });
  }

  /** One event that came from another program than a site. */
  readonly takeOne = async (device: DeviceFacts, report: DeviceEventReport): Promise<string | null> => {
    let alarmId: string | null = null;
    await this.write({ told: [{ device, report }] }, async (batch) => {
      alarmId = batch.told(device, report);
    });
    return alarmId;
  };

  /** The table is made anew only when the installation's part of it has changed. */
  #topicsOf(list: readonly TopicOverride[]): TopicTable {
    const text = JSON.stringify(list);
    if (this.#topics?.text !== text) this.#topics = { text, table: new TopicTable(list) };
    return this.#topics.table;
  }

  async #prepareDay(day: number): Promise<void> {
    if (this.#days.has(day)) return;
    await makePartition(this.#parts.database, day);
    this.#days.add(day);
  }

  #expireLater(): void {
    this.#cancelExpire = this.#parts.clock.after(EXPIRE_EVERY_MS, () => {
      this.#expire()
        .catch((error: unknown) => this.#parts.log.warn({ err: error }, 'held alarms could not be ended'))
        .finally(() => {
          if (this.#cancelExpire !== null) this.#expireLater();
        });
    });
  }

  async #expire(): Promise<void> {
    const { database, clock } = this.#parts;
    const now = clock.wallMs();
    if (!(await isAnyHeldBefore(database, now))) return;
    const taken = await database.transaction().execute(async (transaction) => {
      await lockAlarms(transaction);
      return await endHeldBefore(transaction, now, EXPIRED_AT_ONCE);
    });
    if (taken === EXPIRED_AT_ONCE) await this.#expire();
  }

  #tidyLater(delayMs: number): void {
    this.#cancelTidy = this.#parts.clock.after(delayMs, () => {
      this.#tidyLater(TIDY_EVERY_MS);
      this.#tidy().catch((error: unknown) => this.#parts.log.warn({ err: error }, 'old alarms could not be removed'));
    });
  }

  async #tidy(): Promise<void> {
    const { database, clock, settings } = this.#parts;
    const today = dayOf(clock.wallMs());
    await makePartition(database, today);
    await makePartition(database, today + 1);
    const firstKept = today - (await settings()).retentionDays;
    await dropPartitionsBefore(database, firstKept);
    await dropPicturesBefore(database, firstKept * DAY_MS);
    await dropOldAlarmTraces(database, clock.wallMs() - TRACES_KEPT_MS);
    this.#days.clear();
  }
}

/** A device, or the installation of one operator. */
export interface NoticedPlace {
  readonly deviceId: string;
  readonly ownerId: string;
  /** Source key, beginning with NOTICED. */
  readonly source: string;
}

export interface Noticed {
  readonly type: RaisedAlarmType;
  /** 0: the device itself. */
  readonly channelNo: number;
  readonly isBad: boolean;
  readonly at: number;
  readonly data: Readonly<Record<string, string>>;
}

export class AlarmBatch {
  /** The transaction that all of it is stored in. */
  readonly database: Database;
  readonly #fold: AlarmFold;
  readonly #events: ReadonlyMap<DeviceEventReport, ReadEvent>;
  readonly #newEvents: Set<string>;
  readonly #bounds: Bounds;
  readonly #armed: ArmedTimes;

  constructor(options: {
    database: Database;
    fold: AlarmFold;
    events: ReadonlyMap<DeviceEventReport, ReadEvent>;
    newEvents: Set<string>;
    bounds: Bounds;
    armed: ArmedTimes;
  }) {
    this.database = options.database;
    this.#fold = options.fold;
    this.#events = options.events;
    this.#newEvents = options.newEvents;
    this.#bounds = options.bounds;
    this.#armed = options.armed;
  }

  /** Answers the alarm that it raised or repeated; null where it raised none. */
  told(device: DeviceFacts, given: DeviceEventReport): string | null {
    const event = this.#events.get(given);
    if (event === undefined || !this.#newEvents.delete(event.eventId)) return null;
    const { place, at, report } = event;
    const { raises, isPulse, ends } = event.meaning;
    this.#fold.end(place, ends, at);
    // Outside its plan what begins does not count; what ends, ends.
    if (raises === null || !this.#armed.counts(device.deviceId, place.channelNo, raises, at)) return null;
    const { topic, source, data, deviceAt } = report;
    const facts = { ownerId: device.ownerId, topic, source, data, deviceAt };
    return this.#fold.raise({ ...place, ...facts, type: raises, at, isPulse });
  }

  /** Once for each change of the device's status. */
  offline(device: DeviceFacts, reason: string | null, at: number): void {
    this.#fold.lose(device.deviceId, clamp(at, this.#bounds));
    this.#status(device, 'Offline', reason === null ? {} : { reason }, at);
  }

  online(device: DeviceFacts, at: number): void {
    this.#fold.end(statusPlace(device), ['Offline'], clamp(at, this.#bounds));
    this.#status(device, 'Online', {}, at);
  }

  /** What the server notices of a device by itself; told again while it lasts, it changes nothing. */
  noticed({ deviceId, ownerId, source }: NoticedPlace, seen: Noticed): void {
    const { type, channelNo, at, data } = seen;
    const place = { deviceId, channelNo, sourceKey: source };
    const bounded = clamp(at, this.#bounds);
    if (!seen.isBad) return this.#fold.end(place, [type], bounded);
    if (this.#fold.isOpen(place, type)) return;
    const facts = { ownerId, topic: '', source: {}, data, deviceAt: null };
    this.#fold.raise({ ...place, ...facts, type, at: bounded, isPulse: false });
  }

  #status(device: DeviceFacts, type: 'Online' | 'Offline', data: Record<string, string>, at: number): void {
    const place = statusPlace(device);
    if (this.#fold.isOpen(place, type)) return;
    const facts = { ownerId: device.ownerId, topic: '', source: {}, data, deviceAt: null };
    this.#fold.raise({ ...place, ...facts, type, at: clamp(at, this.#bounds), isPulse: false });
  }
}

function statusPlace({ deviceId }: DeviceFacts) {
  return { deviceId, channelNo: 0, sourceKey: '' };
}

async function store(database: Database, fold: AlarmFold, now: number): Promise<void> {
  const [raised, changed] = [[...fold.raised.values()], [...fold.changed.values()]];
  await insertAlarms(database, raised);
  await changeAlarms(database, changed);
  await writeOpenAlarms(database, fold.openChanges());
  const entries = [
    ...raised.map(({ startTime, alarmId }) => ({ startTime, alarmId, isNew: true })),
    ...changed.map(({ startTime, alarmId }) => ({ startTime, alarmId, isNew: false })),
  ];
  await appendOutbox(database, entries, now);
}
