// Recorder watch: judges the silence of sites in recorder groups, and gives their cameras to others in one transaction.
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import { finishesWithin } from '@vedette/foundation/time/finishes-within.ts';
import {
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
  hasRecorderGroups,
  type MemberWithDevices,
  membersWithDevices,
  restartWatch,
  storeHeard,
  storeTaken,
} from '../database/device/recorder-group.queries.ts';
import { RareLog } from './rare-log.ts';
import type { Sites } from './sites.ts';

export interface RecorderWatchDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sites: Pick<Sites, 'linkOf'>;
  /** Its disk takes recordings, as far as is known. */
  readonly canStore: (siteId: string) => boolean;
  /** Sites that have other devices than before. */
  readonly onMoved: (siteIds: ReadonlySet<string>) => Promise<void>;
  readonly onReturns: (moves: readonly Move[]) => Promise<void>;
  readonly onBeat: () => Promise<void>;
}

const BEAT_MS = 1000;
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
  #cancel: () => void = () => undefined;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(deps: RecorderWatchDeps) {
    this.#deps = deps;
    this.#rareLog = new RareLog(deps.log, deps.clock);
  }

  start(): void {
    this.#cancel = this.#deps.clock.after(BEAT_MS, () => {
      this.#running = this.#beat()
        .catch((error: unknown) => this.#rareLog.warn({ err: error }, 'recorder groups could not be looked at'))
        .finally(() => {
          if (!this.#isClosed) this.start();
        });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await finishesWithin(this.#deps.clock, CLOSE_WITHIN_MS, this.#running);
  }

  async #beat(): Promise<void> {
    const { database, onMoved, onReturns, onBeat, log } = this.#deps;
    if (!(await hasRecorderGroups(database))) return;
    const beat = await database.transaction().execute((transaction) => this.#judge(transaction));
    if (beat === null) return;
    const moves = beat.takeOvers.flatMap((one) => one.moves);
    if (moves.length > 0) await onMoved(new Set(moves.map(({ to }) => to)));
    for (const { siteId, moves: moved, withoutRoom } of beat.takeOvers) {
      if (moved.length > 0)
        log.warn({ siteId, devices: moved.length, withoutRoom }, 'a silent site was taken over by its recorder group');
    }
    if (beat.returns.length > 0) await onReturns(beat.returns);
    await onBeat();
  }

  async #judge(transaction: Database): Promise<Beat | null> {
    const watch = await beatWatch(transaction, this.#holder);
    if (watch === null) return null;
    const rows = await membersWithDevices(transaction);
    const members = rows.map((row) => this.#memberOf(row, watch.now));
    const verdict = judgeGroups(members, watch.now - watch.since);
    if (verdict.isCutOff) await restartWatch(transaction, watch.now);
    const heard = members.filter(isHeard);
    await storeHeard(
      transaction,
      heard.map(({ siteId, silentMs }) => ({ siteId, at: watch.now - silentMs })),
    );
    await this.#takeOver(transaction, verdict.takeOvers);
    await clearTaken(transaction, backToNormal(rows, heard));
    const returning = new Set(rows.flatMap((row) => (row.returns_by_itself ? [row.site_id] : [])));
    return { ...verdict, returns: dueReturns(members).filter(({ to }) => returning.has(to)) };
  }

  async #takeOver(transaction: Database, takeOvers: readonly TakeOver[]): Promise<void> {
    const now = this.#deps.clock.wallMs();
    const moves = takeOvers.flatMap((one) => one.moves);
    if (moves.length > 0) await moveDevices(transaction, moves, now);
    for (const { siteId, withoutRoom } of takeOvers) await storeTaken(transaction, siteId, { now, withoutRoom });
  }

  #memberOf(row: MemberWithDevices, now: number): GroupMember {
    const { sites, canStore } = this.#deps;
    const link = sites.linkOf(row.site_id);
    const told = row.heard_at === null ? Number.POSITIVE_INFINITY : Math.max(0, now - row.heard_at);
    return {
      siteId: row.site_id,
      groupId: row.group_id,
      isSpare: row.is_spare,
      isLocal: row.site_id === LOCAL_SITE,
      // Another server may hear it.
      silentMs: Math.min(link.silentMs(), told),
      steadyMs: link.steadyMs(),
      cameraMax: row.camera_max,
      canStore: canStore(row.site_id),
      devices: row.devices,
    };
  }
}

/** Sites that are heard again and whose devices are all at home. */
function backToNormal(rows: readonly MemberWithDevices[], heard: readonly GroupMember[]): string[] {
  const isThere = new Set(heard.map(({ siteId }) => siteId));
  const away = new Set(rows.flatMap(({ devices }) => devices.map(({ homeSiteId }) => homeSiteId)));
  return rows.flatMap((row) =>
    row.taken_at !== null && isThere.has(row.site_id) && !away.has(row.site_id) ? [row.site_id] : [],
  );
}
