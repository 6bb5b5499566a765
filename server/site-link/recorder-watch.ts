// Recorder watch: judges the silence of sites in recorder groups, and gives their cameras to others in one transaction.
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import { finishesWithin } from '@vedette/foundation/time/finishes-within.ts';
import {
  type AwayDevice,
  dueReturns,
  type GroupMember,
  isHeard,
  judgeGroups,
  type Move,
  type TakeOver,
} from '@vedette/rules/recorder-group/take-over.ts';
import type { Logger } from 'pino';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import type { Database } from '../database/connection.ts';
import { moveDevices } from '../database/device/device-stay.queries.ts';
import {
  beatWatch,
  clearTaken,
  clearWithoutRoom,
  devicesAway,
  hasRecorderGroups,
  type MemberWithDevices,
  membersWithDevices,
  restartWatch,
  storeHeard,
  storeTaken,
} from '../database/device/recorder-group.queries.ts';
import { RareLog } from './rare-log.ts';
import type { SiteLink } from './site-link.ts';

export interface RecorderWatchDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sites: { readonly linkOf: (siteId: string) => Pick<SiteLink, 'silentMs' | 'steadyMs'> };
  /** Its disk takes recordings, as far as is known. */
  readonly canStore: (siteId: string) => boolean;
  /** Tells the sites that have other devices than before. */
  readonly onMoved: (siteIds: ReadonlySet<string>) => Promise<void>;
  readonly onReturns: (moves: readonly Move[]) => Promise<void>;
  readonly onBeat: () => Promise<void>;
}

const BEAT_MS = 1000;
/** This server looks that often whether it stood still. */
const LISTEN_EVERY_MS = 500;
/** With a sign of life before and one after, still less than the silence that is judged. */
const DEAF_MS = 2500;
/** Nobody waits for a beat that the database holds up: the next one finds the break. */
const CLOSE_WITHIN_MS = 2000;

interface Beat {
  readonly takeOvers: readonly TakeOver[];
  readonly returns: readonly Move[];
}

export class RecorderWatch {
  readonly #deps: RecorderWatchDeps;
  readonly #rareLog: RareLog;
  /** Names this server among those of the database. */
  readonly #holder = newId();
  /** Until a beat found none: what a dissolved group leaves behind is put away once. */
  #hadGroups = true;
  #cancel: () => void = () => undefined;
  #cancelListening: () => void = () => undefined;
  /** Monotonic: when it listened last. */
  #listenedAt = 0;
  #wasDeaf = false;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(deps: RecorderWatchDeps) {
    this.#deps = deps;
    this.#rareLog = new RareLog(deps.log, deps.clock);
  }

  start(): void {
    this.#listenedAt = this.#deps.clock.monotonicMs();
    this.#listenLater();
    this.#beatLater();
  }

  /** What sites said while the process stood still is read after the timers that are due. */
  #listenLater(): void {
    this.#cancelListening = this.#deps.clock.after(LISTEN_EVERY_MS, () => {
      this.#listen();
      this.#listenLater();
    });
  }

  #listen(): void {
    const now = this.#deps.clock.monotonicMs();
    if (now - this.#listenedAt > DEAF_MS) this.#wasDeaf = true;
    this.#listenedAt = now;
  }

  #beatLater(): void {
    this.#cancel = this.#deps.clock.after(BEAT_MS, () => {
      this.#running = this.#beat()
        .catch((error: unknown) => this.#rareLog.warn({ err: error }, 'recorder groups could not be looked at'))
        .finally(() => {
          if (!this.#isClosed) this.#beatLater();
        });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    this.#cancelListening();
    await finishesWithin(this.#deps.clock, CLOSE_WITHIN_MS, this.#running);
  }

  async #beat(): Promise<void> {
    const { database, onMoved, onReturns, onBeat, log } = this.#deps;
    const hasGroups = await hasRecorderGroups(database);
    if (!hasGroups && !this.#hadGroups) return;
    const beat = await this.#judged();
    if (beat === null) return;
    const moves = beat.takeOvers.flatMap((one) => one.moves);
    if (moves.length > 0) {
      await onMoved(new Set(moves.map(({ to }) => to)));
      // One that came back while it was judged has its devices from before.
      await onMoved(new Set(moves.map(({ from }) => from)));
    }
    for (const { siteId, moves: moved, withoutRoom } of beat.takeOvers) {
      if (moved.length > 0)
        log.warn({ siteId, devices: moved.length, withoutRoom }, 'a silent site was taken over by its recorder group');
    }
    if (beat.returns.length > 0) await onReturns(beat.returns);
    await onBeat();
    this.#hadGroups = hasGroups;
  }

  async #judged(): Promise<Beat | null> {
    const { database, clock } = this.#deps;
    this.#listen();
    const wasDeaf = this.#wasDeaf;
    this.#wasDeaf = false;
    const begun = clock.monotonicMs();
    try {
      return await database.transaction().execute((transaction) => this.#judge(transaction, { wasDeaf, begun }));
    } catch (error) {
      this.#wasDeaf ||= wasDeaf;
      throw error;
    }
  }

  /** All as it was when the beat begun: a database that stands still in the middle makes nobody look silent. */
  async #judge(
    transaction: Database,
    { wasDeaf, begun }: { readonly wasDeaf: boolean; readonly begun: number },
  ): Promise<Beat | null> {
    const watch = await beatWatch(transaction, this.#holder, wasDeaf);
    if (watch === null) return null;
    const rows = await membersWithDevices(transaction);
    const lateMs = this.#deps.clock.monotonicMs() - begun;
    const members = rows.map((row) => this.#memberOf(row, { now: watch.now, lateMs }));
    if (!watch.isOurs) {
      await storeHeard(transaction, lifeSignsOf(members, watch.now), watch.now);
      return null;
    }
    const age = { heardMs: watch.now - watch.since, openMs: watch.now - watch.openSince };
    const verdict = judgeGroups(members, age);
    if (verdict.isCutOff) await restartWatch(transaction, watch.now);
    await this.#takeOver(transaction, verdict.takeOvers);
    const away = await devicesAway(transaction);
    await storeSignsOfLife(transaction, members, { now: watch.now, away });
    const returning = new Set(rows.flatMap((row) => (row.returns_by_itself ? [row.site_id] : [])));
    return { ...verdict, returns: dueReturns(members, away).filter(({ to }) => returning.has(to)) };
  }

  async #takeOver(transaction: Database, takeOvers: readonly TakeOver[]): Promise<void> {
    const now = this.#deps.clock.wallMs();
    const moves = takeOvers.flatMap((one) => one.moves);
    if (moves.length > 0) await moveDevices(transaction, moves, now);
    for (const { siteId, withoutRoom } of takeOvers) await storeTaken(transaction, siteId, { now, withoutRoom });
  }

  #memberOf(row: MemberWithDevices, { now, lateMs }: { readonly now: number; readonly lateMs: number }): GroupMember {
    const { sites, canStore } = this.#deps;
    const link = sites.linkOf(row.site_id);
    // A time to come is one of before the clock of the database was set back.
    const told = row.heard_at === null || row.heard_at > now ? Number.POSITIVE_INFINITY : now - row.heard_at;
    return {
      siteId: row.site_id,
      groupId: row.group_id,
      isSpare: row.is_spare,
      isLocal: row.site_id === LOCAL_SITE,
      // Another server may hear it.
      silentMs: Math.min(Math.max(0, link.silentMs() - lateMs), told),
      steadyMs: link.steadyMs(),
      cameraMax: row.camera_max,
      canStore: canStore(row.site_id),
      devices: row.devices,
    };
  }
}

function lifeSignsOf(members: readonly GroupMember[], now: number) {
  return members.filter(isHeard).map(({ siteId, silentMs }) => ({ siteId, at: now - silentMs }));
}

async function storeSignsOfLife(
  transaction: Database,
  members: readonly GroupMember[],
  { now, away }: { readonly now: number; readonly away: readonly AwayDevice[] },
): Promise<void> {
  const lifeSigns = lifeSignsOf(members, now);
  await storeHeard(transaction, lifeSigns, now);
  const heardIds = lifeSigns.map(({ siteId }) => siteId);
  await clearWithoutRoom(transaction, heardIds);
  // Heard again, and all their devices are at home.
  const withAway = new Set(away.map(({ homeSiteId }) => homeSiteId));
  await clearTaken(
    transaction,
    heardIds.filter((siteId) => !withAway.has(siteId)),
  );
}
