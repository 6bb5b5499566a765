// Copies snapshots of alarms into object stores for channels with a plan of pictures, reads them back, and deletes them when their days are over.
import type { StoreReason } from '@vedette/contract/enumerations.ts';
import type { StoredObjectName } from '@vedette/contract/site/site-cloud.ts';
import { SerialQueue } from '@vedette/foundation/concurrency/serial-queue.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { DAY_MS, MINUTE_MS } from '@vedette/foundation/units/durations.ts';
import type { Logger } from 'pino';
import { CallError } from '../core/call-error.ts';
import type { SecretBox } from '../core/secret-box.ts';
import type { Database } from '../database/connection.ts';
import {
  deleteSnapshotCopy,
  endedSnapshotCopies,
  findSnapshotCopy,
  freeCopiedSnapshots,
  insertSnapshotCopy,
  type SnapshotCopy,
  type StoreAtSite,
  waitingSnapshots,
} from '../database/media/snapshot-copy.queries.ts';
import type { SitesPort } from '../site-link/site-port.ts';

export interface SnapshotCopiesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly box: SecretBox;
  readonly site: Pick<SitesPort, 'at' | 'here'>;
}

const TURN_EVERY_MS = MINUTE_MS / 2;
/** Of one turn: at most some ten megabytes. */
const AT_ONCE = 50;
/** A snapshot that a store holds stays here for as long, since most alarms are looked at soon. */
const KEPT_HERE_MS = 7 * DAY_MS;
/** An object whose site or store never comes back is forgotten after so long. */
const GIVEN_UP_MS = 30 * DAY_MS;

type Waiting = Awaited<ReturnType<typeof waitingSnapshots>>[number];

export class SnapshotCopies {
  readonly #options: SnapshotCopiesOptions;
  /** Why the last attempt at a store failed, by site and store. */
  readonly #reasons = new Map<string, StoreReason>();
  #cancel: () => void = () => undefined;
  #isClosed = false;
  readonly #runs = new SerialQueue();

  constructor(options: SnapshotCopiesOptions) {
    this.#options = options;
  }

  /** Looks at once, and from then on. */
  start(): void {
    if (!this.#isClosed) this.#turn(0);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  /** Null: the store took the last one. */
  reasonOf(store: StoreAtSite): StoreReason | null {
    return this.#reasons.get(storeKey(store)) ?? null;
  }

  /** Null where there is no copy, or its store does not give it now. */
  async read(key: { readonly startTime: number; readonly alarmId: string }) {
    const { database, site, box, log } = this.#options;
    const copy = await findSnapshotCopy(database, { start_time: key.startTime, alarm_id: key.alarmId });
    if (copy === undefined) return null;
    try {
      const { data } = await site.at(copy.site_id).call('objectGet', objectOf(copy));
      if (data === null) return null;
      const opened = box.open(Buffer.from(data, 'base64'), rowId(copy.alarm_id));
      return { contentType: copy.content_type, data: Buffer.from(opened, 'base64') };
    } catch (error) {
      // A site that is away, or an object that somebody else wrote.
      log.warn({ err: error, alarmId: key.alarmId }, 'the snapshot of an alarm could not be read from its store');
      return null;
    }
  }

  async run(): Promise<void> {
    const { database, clock } = this.#options;
    const now = clock.wallMs();
    await this.#copyWaiting(now);
    await freeCopiedSnapshots(database, now - KEPT_HERE_MS);
    for (const copy of await endedSnapshotCopies(database, now, AT_ONCE)) {
      if (this.#isClosed) return;
      const reason = await this.#ask(copy, 'objectDelete', {});
      const isGivenUp = copy.kept_until < now - GIVEN_UP_MS;
      if (reason === null || isGivenUp) await deleteSnapshotCopy(database, copy);
    }
  }

  /** A store that fails is left out until the next turn, so that it holds up no other. */
  async #copyWaiting(now: number): Promise<void> {
    const without: StoreAtSite[] = [];
    for (let known = -1; known < without.length; ) {
      known = without.length;
      const failed = new Set(without.map(storeKey));
      for (const snapshot of await waitingSnapshots(this.#options.database, { now, limit: AT_ONCE, without })) {
        const key = storeKey(snapshot);
        if (this.#isClosed || failed.has(key)) continue;
        const reason = await this.#copy(snapshot);
        if (reason === null) this.#reasons.delete(key);
        else {
          this.#reasons.set(key, reason);
          failed.add(key);
          without.push({ site_id: snapshot.site_id, store_id: snapshot.store_id });
        }
      }
    }
  }

  #turn(afterMs: number): void {
    const { clock, log } = this.#options;
    this.#cancel();
    this.#cancel = clock.after(afterMs, () => {
      this.#turn(TURN_EVERY_MS);
      this.#runs
        .run(() => this.run())
        .catch((error: unknown) => log.warn({ err: error }, 'snapshots of alarms could not be copied'));
    });
  }

  /** The reason where its store has it not. */
  async #copy({ data, days, ...snapshot }: Waiting): Promise<StoreReason | null> {
    const { database, box } = this.#options;
    const sealed = box.seal(data.toString('base64'), rowId(snapshot.alarm_id));
    const copy = { ...snapshot, bytes: sealed.length, kept_until: snapshot.start_time + days * DAY_MS };
    const reason = await this.#ask(copy, 'objectPut', { data: sealed.toString('base64') });
    if (reason === null) await insertSnapshotCopy(database, copy);
    return reason;
  }

  /** A site that is away does not reach its stores; of one that is connected to another server, that server copies. */
  async #ask(
    copy: SnapshotCopy,
    name: 'objectPut' | 'objectDelete',
    more: { readonly data?: string },
  ): Promise<StoreReason | null> {
    try {
      const site = this.#options.site.here().find(({ siteId }) => siteId === copy.site_id)?.site;
      if (site === undefined) return 'unreachable';
      return (await site.call(name, { ...objectOf(copy), data: '', ...more })).reason;
    } catch (error) {
      if (error instanceof CallError) return 'unreachable';
      throw error;
    }
  }
}

function storeKey({ site_id: siteId, store_id: storeId }: StoreAtSite): string {
  return `${siteId} ${storeId}`;
}

function objectOf(copy: SnapshotCopy): StoredObjectName {
  const {
    store_id: storeId,
    owner_id: ownerId,
    channel_id: channelId,
    start_time: startTime,
    alarm_id: alarmId,
  } = copy;
  const day = new Date(startTime).toISOString().slice(0, 10).replaceAll('-', '');
  return { storeId, ownerId, name: `${channelId}/snapshots/${day}/${alarmId}` };
}

function rowId(alarmId: string): string {
  return `alarm picture ${alarmId}`;
}
