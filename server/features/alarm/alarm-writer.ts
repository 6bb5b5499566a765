// Stores alarms: a batch of events is one transaction with its outbox rows; expired pulses are ended.
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import type { RaisedAlarmType } from '@vedette/contract/alarm-types.ts';
import type { DeviceEventReport } from '@vedette/contract/site/site.ts';
import type { EventPicture } from '@vedette/rules/alarm/event-picture.ts';
import { type TopicOverride, TopicTable } from '@vedette/rules/alarm/topic-table.ts';
import type { Logger } from 'pino';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { dayOf, dropPartitionsBefore, makePartition } from '../../database/alarm/alarm-partitions.ts';
import {
  appendOutbox,
  changeAlarms,
  endExpiredPulses,
  deleteOldProcessedEvents,
  hasExpiredPulses,
  insertAlarms,
  lockAlarms,
  openAlarmsAt,
  openAlarmsOf,
  claimNewEvents,
  writeOpenAlarms,
} from '../../database/alarm/alarm-write.queries.ts';
import {
  type AlarmSnapshot,
  addAlarmSnapshot,
  deleteSnapshotsBefore,
} from '../../database/alarm/alarm-snapshot.queries.ts';
import { missingAccounts } from '../../database/account/account.queries.ts';
import type { Database } from '../../database/connection.ts';
import { endSnapshotCopies } from '../../database/media/snapshot-copy.queries.ts';
import type { DeviceFacts } from '../../database/device/device.queries.ts';
import { armingPlansOf } from '../../database/device/arming.queries.ts';
import { AlarmLifecycle } from './alarm-lifecycle.ts';
import { ArmingSchedule } from './arming-schedule.ts';
import { alarmCursorOf, newAlarmId } from './alarm-id.ts';
import {
  type TimeBounds,
  clampTime,
  type InterpretedEvent,
  interpretEvents,
  type ReportedEvent,
} from './interpret-events.ts';

export interface AlarmSettings {
  readonly retentionDays: number;
  readonly topicList: readonly TopicOverride[];
}

type WriteEvent = (
  device: DeviceFacts,
  report: DeviceEventReport,
  picture?: EventPicture,
) => Promise<{ readonly alarmId: string | null; readonly isPictureStored: boolean }>;

export interface AlarmWriterDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: () => Promise<AlarmSettings>;
  /** Of this installation. */
  readonly timeZone: string;
}

/** Interval of ending expired pulses, and so their greatest delay. */
const EXPIRE_EVERY_MS = 1000;
/** Limit of one commit, while other events wait. */
const EXPIRED_AT_ONCE = 5000;
const REMOVE_OLD_EVERY_MS = 3_600_000;
/** A site cut off for so long does not repeat acknowledged events. */
const TRACES_KEPT_MS = 7 * DAY_MS;

export class AlarmWriter {
  readonly #deps: AlarmWriterDeps;
  readonly #days = new Set<number>();
  #topics: { readonly text: string; readonly table: TopicTable } | null = null;
  #cancelExpire: (() => void) | null = null;
  #cancelRemoveOld: (() => void) | null = null;

  constructor(deps: AlarmWriterDeps) {
    this.#deps = deps;
  }

  /** Writes what only the holder of a lease may write. */
  over(database: Database): AlarmWriter {
    return new AlarmWriter({ ...this.#deps, database });
  }

  start(): void {
    this.#expireLater();
    this.#removeOldLater(0);
  }

  close(): void {
    this.#cancelExpire?.();
    this.#cancelExpire = null;
    this.#cancelRemoveOld?.();
  }

  /**
   * `work` tells the batch what happened, in order; all of it is stored in one commit, or it throws and nothing is.
   * `whole`: devices whose status, or what we notice of them, is told. Answers how many pictures were stored.
   */
  async write(
    {
      whole: devices = [],
      reports: reported = [],
    }: { readonly whole?: Iterable<{ readonly deviceId: string }>; readonly reports?: readonly ReportedEvent[] },
    work: (batch: AlarmBatch) => Promise<void>,
  ): Promise<number> {
    const { database, clock, settings, timeZone } = this.#deps;
    const { retentionDays, topicList } = await settings();
    const now = clock.wallMs();
    const bounds = { oldest: (dayOf(now) - retentionDays) * DAY_MS, newest: now + DAY_MS };
    const events = interpretEvents(reported, { topics: this.#topicsOf(topicList), bounds });
    for (const day of new Set([now, ...events.values().map(({ at }) => at)].map(dayOf))) await this.#prepareDay(day);
    return await database.transaction().execute(async (transaction) => {
      await lockAlarms(transaction);
      const eventIds = Array.from(events.values(), ({ eventId }) => eventId);
      const newEvents = new Set(await claimNewEvents(transaction, eventIds, now));
      const deviceIds = [...new Set(devices)].map((device) => device.deviceId);
      const open = [
        ...(await openAlarmsAt(
          transaction,
          [...events.values()].flatMap((one) => one.open),
        )),
        ...(await openAlarmsOf(transaction, deviceIds)),
      ];
      const fold = new AlarmLifecycle({ open, newId: newAlarmId });
      const concerned = new Set(reported.map(({ device }) => device.deviceId));
      const armed = new ArmingSchedule(await armingPlansOf(transaction, [...concerned]), timeZone);
      const batch = new AlarmBatch({ database: transaction, fold, events, newEvents, bounds, armed });
      await work(batch);
      // Read before this transaction began, a device may have gone with its account.
      const owners = new Set(fold.raised.values().map(({ ownerId }) => ownerId));
      fold.forgetOwners(await missingAccounts(transaction, owners));
      await store(transaction, fold, now);
      return await storePictures(transaction, batch.pictures, now);
    });
  }

  /** One event that came from another program than a site, with its picture; both are stored in one commit. */
  readonly writeOne: WriteEvent = async (device, report, picture) => {
    let alarmId: string | null = null;
    const pictured = await this.write({ reports: [{ device, report }] }, async (batch) => {
      alarmId = batch.reported(device, report, picture);
    });
    return { alarmId, isPictureStored: pictured > 0 };
  };

  /** Rebuilt only when the installation's overrides changed. */
  #topicsOf(list: readonly TopicOverride[]): TopicTable {
    const text = JSON.stringify(list);
    if (this.#topics?.text !== text) this.#topics = { text, table: new TopicTable(list) };
    return this.#topics.table;
  }

  async #prepareDay(day: number): Promise<void> {
    if (this.#days.has(day)) return;
    await makePartition(this.#deps.database, day);
    this.#days.add(day);
  }

  #expireLater(): void {
    this.#cancelExpire = this.#deps.clock.after(EXPIRE_EVERY_MS, () => {
      this.#expire()
        .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'held alarms could not be ended'))
        .finally(() => {
          if (this.#cancelExpire !== null) this.#expireLater();
        });
    });
  }

  async #expire(): Promise<void> {
    const { database, clock } = this.#deps;
    const now = clock.wallMs();
    if (!(await hasExpiredPulses(database, now))) return;
    const taken = await database.transaction().execute(async (transaction) => {
      await lockAlarms(transaction);
      return await endExpiredPulses(transaction, now, EXPIRED_AT_ONCE);
    });
    if (taken === EXPIRED_AT_ONCE) await this.#expire();
  }

  #removeOldLater(delayMs: number): void {
    this.#cancelRemoveOld = this.#deps.clock.after(delayMs, () => {
      this.#removeOldLater(REMOVE_OLD_EVERY_MS);
      this.#removeOld().catch((error: unknown) =>
        this.#deps.log.warn({ err: error }, 'old alarms could not be removed'),
      );
    });
  }

  async #removeOld(): Promise<void> {
    const { database, clock, settings } = this.#deps;
    const today = dayOf(clock.wallMs());
    await makePartition(database, today);
    await makePartition(database, today + 1);
    const firstKept = today - (await settings()).retentionDays;
    await dropPartitionsBefore(database, firstKept);
    await deleteSnapshotsBefore(database, firstKept * DAY_MS);
    await endSnapshotCopies(database, { before: firstKept * DAY_MS });
    await deleteOldProcessedEvents(database, clock.wallMs() - TRACES_KEPT_MS);
    this.#days.clear();
  }
}

/** A device, or the installation of one operator. */
export interface ProblemSource {
  readonly deviceId: string;
  readonly ownerId: string;
  /** Source key, beginning with NOTICED. */
  readonly source: string;
}

export interface DetectedProblem {
  readonly type: RaisedAlarmType;
  /** 0: the device itself. */
  readonly channelNo: number;
  readonly isBad: boolean;
  readonly at: number;
  readonly data: Readonly<Record<string, string>>;
}

export class AlarmBatch {
  /** Transaction of the batch. */
  readonly database: Database;
  /** By the id of their alarm. */
  readonly pictures = new Map<string, AlarmSnapshot>();
  readonly #lifecycle: AlarmLifecycle;
  readonly #events: ReadonlyMap<DeviceEventReport, InterpretedEvent>;
  readonly #newEvents: Set<string>;
  readonly #bounds: TimeBounds;
  readonly #armed: ArmingSchedule;

  constructor(options: {
    database: Database;
    fold: AlarmLifecycle;
    events: ReadonlyMap<DeviceEventReport, InterpretedEvent>;
    newEvents: Set<string>;
    bounds: TimeBounds;
    armed: ArmingSchedule;
  }) {
    this.database = options.database;
    this.#lifecycle = options.fold;
    this.#events = options.events;
    this.#newEvents = options.newEvents;
    this.#bounds = options.bounds;
    this.#armed = options.armed;
  }

  /** Answers the first alarm that it raised or repeated; null where it raised none. */
  reported(device: DeviceFacts, given: DeviceEventReport, picture?: EventPicture): string | null {
    const event = this.#events.get(given);
    if (event === undefined || !this.#newEvents.delete(event.eventId)) return null;
    const { source: place, at, report } = event;
    const { raises, isPulse, ends } = event.meaning;
    this.#lifecycle.end(place, ends, at);
    // Outside its plan what begins does not count; what ends, ends.
    const armed = raises.filter((type) => this.#armed.isArmed(device.deviceId, place.channelNo, type, at));
    const { topic, source, data, deviceAt } = report;
    const facts = { ownerId: device.ownerId, topic, source, data, deviceAt };
    const raised = armed.map((type) => this.#lifecycle.raise({ ...place, ...facts, type, at, isPulse }));
    const [alarmId = null] = raised;
    if (alarmId !== null && picture !== undefined) this.pictures.set(alarmId, { ...picture, at });
    return alarmId;
  }

  /** Once per change of the device's status. */
  offline(device: DeviceFacts, reason: string | null, at: number): void {
    this.#lifecycle.deviceLost(device.deviceId, clampTime(at, this.#bounds));
    this.#status(device, 'Offline', reason === null ? {} : { reason }, at);
  }

  online(device: DeviceFacts, at: number): void {
    this.#lifecycle.end(statusPlace(device), ['Offline'], clampTime(at, this.#bounds));
    this.#status(device, 'Online', {}, at);
  }

  /** A problem noticed by the server; repeats while it lasts change nothing. */
  detected({ deviceId, ownerId, source }: ProblemSource, seen: DetectedProblem): void {
    const { type, channelNo, at, data } = seen;
    const place = { deviceId, channelNo, sourceKey: source };
    const bounded = clampTime(at, this.#bounds);
    if (!seen.isBad) return this.#lifecycle.end(place, [type], bounded);
    if (this.#lifecycle.isOpen(place, type)) return;
    const facts = { ownerId, topic: '', source: {}, data, deviceAt: null };
    this.#lifecycle.raise({ ...place, ...facts, type, at: bounded, isPulse: false });
  }

  #status(device: DeviceFacts, type: 'Online' | 'Offline', data: Record<string, string>, at: number): void {
    const place = statusPlace(device);
    if (this.#lifecycle.isOpen(place, type)) return;
    const facts = { ownerId: device.ownerId, topic: '', source: {}, data, deviceAt: null };
    this.#lifecycle.raise({ ...place, ...facts, type, at: clampTime(at, this.#bounds), isPulse: false });
  }
}

function statusPlace({ deviceId }: DeviceFacts) {
  return { deviceId, channelNo: 0, sourceKey: '' };
}

async function store(database: Database, lifecycle: AlarmLifecycle, now: number): Promise<void> {
  const [raised, changed] = [[...lifecycle.raised.values()], [...lifecycle.changed.values()]];
  await insertAlarms(database, raised);
  await changeAlarms(database, changed);
  await writeOpenAlarms(database, lifecycle.openChanges());
  const entries = [
    ...raised.map(({ startTime, alarmId }) => ({ startTime, alarmId, isNew: true })),
    ...changed.map(({ startTime, alarmId }) => ({ startTime, alarmId, isNew: false })),
  ];
  await appendOutbox(database, entries, now);
}

async function storePictures(
  database: Database,
  pictures: ReadonlyMap<string, AlarmSnapshot>,
  now: number,
): Promise<number> {
  let stored = 0;
  for (const [alarmId, picture] of pictures) {
    const cursor = alarmCursorOf(alarmId);
    if (cursor !== null && (await addAlarmSnapshot(database, cursor, picture, now))) stored += 1;
  }
  return stored;
}
