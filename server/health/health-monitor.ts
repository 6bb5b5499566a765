// Health monitor: polls every site and raises alarms for lasting problems: video loss, recording failure, disks, clocks, abnormal streams.
import type { RaisedAlarmType } from '@vedette/contract/alarm-types.ts';
import { DEVICE_STATUS, RECORD_PLAN_TYPE } from '@vedette/contract/enumerations.ts';
import type { SiteEvent, SiteHealth, StorageHealth } from '@vedette/contract/site/site.ts';
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import {
  AWAITING_KEYFRAME,
  ClockDrift,
  Hysteresis,
  isVideoMissing,
  StreamHealthRules,
} from '@vedette/rules/alarm/health-rules.ts';
import { PlanClock } from '@vedette/rules/time-plan/plan-clock.ts';
import type { Logger } from 'pino';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { INSTALLATION } from '../database/alarm/alarm-read.queries.ts';
import { DETECTED } from '../database/alarm/alarm-rows.ts';
import type { Database } from '../database/connection.ts';
import { findDevicesFacts } from '../database/device/device.queries.ts';
import { openDetectedProblems, operatorIds, monitoredChannels } from '../database/alarm/health.queries.ts';
import type { AlarmBatch, AlarmWriter, DetectedProblem, ProblemSource } from '../features/alarm/alarm-writer.ts';
import { RareLog } from '../site-link/rare-log.ts';
import type { SiteMeasures } from './site-measures.ts';
import type { SitePort, SitesPort } from '../site-link/site-port.ts';

export interface HealthMonitorOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sites: SitesPort;
  readonly alarms: AlarmWriter;
  /** What each site answers is kept there. */
  readonly measures: SiteMeasures;
  /** Zone of this installation, for devices without one of their own. */
  readonly timeZone: string;
}

type Change = Omit<DetectedProblem, 'at'> & { readonly deviceSerial: string };
type DiskLook = Pick<StorageHealth, 'folder' | 'state' | 'reason'>;
type Watched = Awaited<ReturnType<typeof monitoredChannels>>[number];

const POLL_EVERY_MS = 3000;
/** Of sites that are connected to other servers the page shows health that is a little older. */
const POLLS_ELSEWHERE = 3;
const RECORDING = { raiseAfter: 20_000, clearAfter: 5000 };
const STORAGE = { raiseAfter: 3000, clearAfter: 6000 };
/** What each state of the storage is as an alarm. */
const DISK: Record<Exclude<StorageHealth['state'], 'normal'>, RaisedAlarmType> = {
  full: 'DiskFull',
  failing: 'DiskError',
  missing: 'NoDisk',
};

export class HealthMonitor {
  readonly #options: HealthMonitorOptions;
  readonly #streams = new Map<string, StreamHealthRules>();
  readonly #recordings = new Map<string, Hysteresis>();
  readonly #storages = new Map<string, Hysteresis>();
  /** Places of the disks that each site had since this process started. */
  readonly #disks = new Map<string, Set<string>>();
  readonly #clocks = new Map<string, ClockDrift>();
  readonly #waiting: Change[] = [];
  /** What is found out once, until it is stored: a judge says nothing twice. */
  readonly #pendingWrites: (() => Promise<void>)[] = [];
  /** Remote sites that are being asked: one that is slow to answer holds up no other. */
  readonly #asked = new Set<string>();
  readonly #rareLog: RareLog;
  /** What a run before, or another server, left open, by device, channel and type. */
  #openBefore: ReadonlySet<string> | null = null;
  #isOpenKnown = false;
  #cancel: (() => void) | null = null;
  #isClosed = false;
  #polls = 0;

  constructor(options: HealthMonitorOptions) {
    this.#options = options;
    this.#rareLog = new RareLog(options.log, options.clock);
  }

  /** Its alarms may have been opened by another server since this one started. */
  siteConnected(): void {
    this.#isOpenKnown = false;
  }

  start(): void {
    this.#cancel = this.#options.clock.after(POLL_EVERY_MS, () => {
      this.#poll()
        .catch((error: unknown) => this.#options.log.warn({ err: error }, 'health could not be looked at'))
        .finally(() => {
          if (!this.#isClosed) this.start();
        });
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }

  /** Devices tell their clock with their events. */
  noteClocks(events: readonly SiteEvent[]): void {
    for (const event of events) {
      if (event.kind !== 'deviceEvent' || typeof event.deviceAt !== 'number' || event.deviceAt <= 0) continue;
      const { deviceSerial, deviceAt, at } = event;
      const judge = this.#clocks.get(deviceSerial) ?? new ClockDrift(this.#wasOpen(deviceSerial, 0, 'ClockWrong'));
      this.#clocks.set(deviceSerial, judge);
      const changed = judge.update(deviceAt, at);
      if (changed === null) continue;
      const data = { driftSeconds: String(changed.driftS) };
      this.#waiting.push({ deviceSerial, type: 'ClockWrong', channelNo: 0, isBad: changed.isBad, data });
    }
  }

  async #poll(): Promise<void> {
    const { sites, clock } = this.#options;
    await this.#readOpen();
    this.#polls += 1;
    if (this.#polls % POLLS_ELSEWHERE === 0) this.#measureElsewhere();
    for (const { siteId, site } of sites.here()) {
      if (siteId === LOCAL_SITE) await this.#lookAt(siteId, site);
      else if (!this.#asked.has(siteId)) {
        this.#asked.add(siteId);
        void this.#lookAt(siteId, site).finally(() => this.#asked.delete(siteId));
      }
    }
    const now = clock.wallMs();
    const changes = this.#waiting.splice(0);
    if (changes.length > 0) this.#pendingWrites.push(async () => await this.#writeChanges(changes, now));
    for (let next = this.#pendingWrites[0]; next !== undefined; next = this.#pendingWrites[0]) {
      await next();
      this.#pendingWrites.shift();
    }
  }

  /** Judged by the servers that have them. */
  #measureElsewhere(): void {
    const { sites, measures, clock } = this.#options;
    const here = new Set(sites.here().map(({ siteId }) => siteId));
    for (const { siteId, site } of sites.online()) {
      if (here.has(siteId)) continue;
      const asked = clock.wallMs();
      site.call('health', {}).then(
        (health) => measures.note(siteId, { health, at: (asked + clock.wallMs()) / 2 }),
        (error: unknown) => this.#rareLog.warn({ err: error, siteId }, 'the health of a site elsewhere is not known'),
      );
    }
  }

  async #readOpen(): Promise<void> {
    if (this.#isOpenKnown) return;
    // A site that connects meanwhile has it read again.
    this.#isOpenKnown = true;
    try {
      const open = await openDetectedProblems(this.#options.database);
      const keys = open.map((row) => keyOf(row.device_serial ?? row.source_key, row.channel_no, row.type));
      this.#openBefore = new Set(keys);
    } catch (error) {
      this.#isOpenKnown = false;
      throw error;
    }
  }

  /** What follows from it is told at the next look. */
  async #lookAt(siteId: string, site: SitePort): Promise<void> {
    const { clock, database, measures } = this.#options;
    try {
      const asked = clock.wallMs();
      const health = await site.call('health', {});
      measures.note(siteId, { health, at: (asked + clock.wallMs()) / 2 });
      const channels = await monitoredChannels(database, siteId);
      const now = clock.wallMs();
      this.#waiting.push(
        ...this.#streamChanges(health, channels, now),
        ...this.#recordingChanges(health, channels, now),
      );
      await this.#checkStorage(siteId, health.storage, now);
    } catch (error) {
      // A line that broke just now is no reason to leave the others out.
      this.#rareLog.warn({ err: error, siteId }, `the health of the site ${siteId} could not be looked at`);
    }
  }

  /** The best stream of each channel whose device is there: what is lost with its device is no alarm of its own. */
  #streamChanges(health: SiteHealth, channels: readonly Watched[], now: number): Change[] {
    const best = bestStreams(health);
    const found: Change[] = [];
    for (const {
      device_serial: deviceSerial,
      channel_no: channelNo,
      device_status: status,
      record_quality,
    } of channels) {
      const stream = best.get(channelKey(deviceSerial, channelNo));
      // Nobody asks for a stream that is not recorded: that it is not there says nothing.
      if (status !== DEVICE_STATUS.online || (stream === undefined && record_quality === null)) continue;
      const key = channelKey(deviceSerial, channelNo);
      const judge = this.#streams.get(key) ?? new StreamHealthRules(this.#openTypes(deviceSerial, channelNo));
      this.#streams.set(key, judge);
      const look = stream ?? { state: 'missing', lastFrameAt: null, counters: {} };
      if (look.state === 'idle') continue;
      for (const change of judge.update(look, now)) found.push({ ...change, deviceSerial, channelNo });
    }
    return found;
  }

  #recordingChanges({ storage, streams }: SiteHealth, channels: readonly Watched[], now: number): Change[] {
    const playing = new Set(
      streams.flatMap((one) => (isRecordable(one, now) ? [channelKey(one.deviceSerial, one.channelNo)] : [])),
    );
    return channels.flatMap((row): Change[] => {
      const { device_serial: deviceSerial, channel_no: channelNo } = row;
      const key = channelKey(deviceSerial, channelNo);
      const wasOpen = this.#wasOpen(deviceSerial, channelNo, 'RecordingFailed');
      const state = this.#recordings.get(key) ?? new Hysteresis(RECORDING, wasOpen);
      this.#recordings.set(key, state);
      // Without a picture there is nothing to record: that is told as such.
      const isBad =
        row.device_status === DEVICE_STATUS.online && playing.has(key) && this.#isWanted(row, now) && !row.is_recording;
      if (!state.update(isBad, now)) return [];
      const data: Record<string, string> = storage.reason === null ? {} : { reason: storage.reason };
      return [{ deviceSerial, channelNo, type: 'RecordingFailed', isBad, data }];
    });
  }

  #isWanted({ record_quality, record_plan, time_zone }: Watched, now: number): boolean {
    if (record_quality === null) return false;
    if (record_plan === null) return true;
    const { plan, holidayList } = record_plan;
    const timeZone = time_zone ?? this.#options.timeZone;
    return new PlanClock({ days: plan, holidays: holidayList, timeZone }).at(now).type === RECORD_PLAN_TYPE.continuous;
  }

  /** A disk belongs to no camera: each operator has the alarm. One that is no longer among the disks has its alarm ended. */
  async #checkStorage(siteId: string, { disks, ...all }: StorageHealth, now: number): Promise<void> {
    const looks = new Map((disks ?? [all]).map((disk, at) => [at === 0 ? '' : ` ${disk.folder}`, disk] as const));
    const seen = this.#disks.get(siteId) ?? new Set<string>();
    this.#disks.set(siteId, seen);
    for (const name of seen) {
      if (!looks.has(name)) await this.#checkDisk(siteId, name, { ...all, folder: name.trim(), state: 'normal' }, now);
    }
    for (const [name, disk] of looks) {
      seen.add(name);
      await this.#checkDisk(siteId, name, disk, now);
    }
  }

  /** `place`: empty for the first disk of a site, whose alarms had no place when a site had one. */
  async #checkDisk(siteId: string, place: string, storage: DiskLook, now: number): Promise<void> {
    const { alarms, database } = this.#options;
    for (const [name, type] of Object.entries(DISK)) {
      const places: ProblemSource[] = [];
      for (const ownerId of await operatorIds(database)) {
        const source = `${DETECTED} ${siteId} ${ownerId}${place}`;
        const key = keyOf(source, 0, type);
        const state = this.#storages.get(key) ?? new Hysteresis(STORAGE, this.#openBefore?.has(key));
        this.#storages.set(key, state);
        if (state.update(storage.state === name, now)) places.push({ deviceId: INSTALLATION, ownerId, source });
      }
      if (places.length === 0) continue;
      const data = { folder: storage.folder, ...(storage.reason === null ? {} : { reason: storage.reason }) };
      const seen = { type, channelNo: 0, isBad: storage.state === name, at: now, data };
      this.#pendingWrites.push(
        async () => void (await alarms.write({ whole: places }, async (batch) => noteAll(batch, places, seen))),
      );
    }
  }

  async #writeChanges(changes: readonly Change[], at: number): Promise<void> {
    const { alarms, database } = this.#options;
    const devices = await findDevicesFacts(database, [...new Set(changes.map(({ deviceSerial }) => deviceSerial))]);
    await alarms.write({ whole: devices.values() }, async (batch) => {
      for (const { deviceSerial, ...seen } of changes) {
        const device = devices.get(deviceSerial);
        if (device !== undefined) batch.detected({ ...device, source: DETECTED }, { ...seen, at });
      }
    });
  }

  #wasOpen(deviceSerial: string, channelNo: number, type: RaisedAlarmType): boolean {
    return this.#openBefore?.has(keyOf(deviceSerial, channelNo, type)) ?? false;
  }

  #openTypes(deviceSerial: string, channelNo: number): ReadonlySet<string> {
    const prefix = keyOf(deviceSerial, channelNo, '');
    return new Set(
      [...(this.#openBefore ?? [])].flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : [])),
    );
  }
}

function noteAll(batch: AlarmBatch, places: readonly ProblemSource[], seen: DetectedProblem): void {
  for (const place of places) batch.detected(place, seen);
}

/** Where video does not arrive, or awaits a keyframe, that is told, and not that the recording failed. */
function isRecordable(stream: SiteHealth['streams'][number], now: number): boolean {
  return stream.reason !== AWAITING_KEYFRAME && !isVideoMissing(stream, now);
}

function channelKey(deviceSerial: string, channelNo: number): string {
  return `${deviceSerial} ${channelNo}`;
}

function keyOf(deviceSerial: string, channelNo: number, type: string): string {
  return `${deviceSerial} ${channelNo} ${type}`;
}

/** By channel. */
function bestStreams({ streams }: SiteHealth): ReadonlyMap<string, SiteHealth['streams'][number]> {
  const best = new Map<string, SiteHealth['streams'][number]>();
  for (const stream of streams) {
    const key = channelKey(stream.deviceSerial, stream.channelNo);
    const known = best.get(key);
    if (known === undefined || stream.quality < known.quality) best.set(key, stream);
  }
  return best;
}
