// Alarm feed: pushes alarm changes to pages that may see them; in a burst a sample and a notice of the rest.
import { wait } from '@vedette/foundation/time/wait.ts';
import { DEVICE_TYPE, WEB_HIDDEN_DEVICE_TYPES } from '@vedette/contract/enumerations.ts';
import type { RealtimeHub } from '../../bus/realtime-hub.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { type AlarmUpdate, alarmUpdatesAfter, newestAlarmUpdate } from '../../database/alarm/alarm-outbox.queries.ts';
import type { Database } from '../../database/connection.ts';
import type { NewRows } from '../../database/sequence-follower.ts';
import { toAlarms } from './alarm-view.ts';

/** Above this many per second nobody can read them one by one. */
const PER_SECOND = 500;
/** Messages to all pages together: a fifth of a CPU core. */
const MESSAGES_PER_SECOND = 20_000;
/** During a burst, per check: to one page, and to all together. */
const BURST_SAMPLE_PER_PAGE = 50;
const BURST_MESSAGES = 1000;
/** Interval of checks during a burst: each reads from a busy database. */
const BURST_POLL_MS = 250;

/** Null for alarms that were left out. */
export type PushedUpdate = AlarmUpdate | null;

export interface AlarmFeedDeps {
  readonly database: Database;
  readonly hub: Pick<RealtimeHub, 'pushAbout' | 'pushToHolders' | 'size'>;
  readonly clock: Clock;
}

export class AlarmFeed {
  readonly #deps: AlarmFeedDeps;
  #second = 0;
  #inSecond = 0;
  /** The last second in which pages were told that alarms were left out. */
  #droppedIn = -1;

  constructor(deps: AlarmFeedDeps) {
    this.#deps = deps;
  }

  readonly updatesAfter = async (seq: number): Promise<NewRows<PushedUpdate>> => {
    const { database } = this.#deps;
    const last = await newestAlarmUpdate(database);
    const room = Math.max(0, this.#perSecond() - this.#count(0));
    const from = last - seq > room ? Math.max(seq, last - Math.min(this.#burstSampleSize(), room)) : seq;
    if (from >= last) return { rows: last > seq ? [null] : [], newest: Math.max(seq, last) };
    // Later commits are left to the next check: a burst commits thousands.
    const { updates, newest } = await alarmUpdatesAfter(database, from, { limit: last - from });
    this.#count(updates.length);
    return { rows: from === seq ? updates : [null, ...updates], newest };
  };

  readonly push = async (pushed: readonly PushedUpdate[]): Promise<void> => {
    const { database, hub, clock } = this.#deps;
    const news = pushed.filter((one) => one !== null);
    const isFlood = news.length < pushed.length;
    if (isFlood && this.#droppedIn !== this.#second) {
      // Once a second: pages fetch again later anyway.
      this.#droppedIn = this.#second;
      hub.pushToHolders({ kind: 'alarmsMissed' }, 'AlarmPush');
    }
    const alarms = await toAlarms(
      database,
      news.map((one) => one.alarm),
    );
    for (const [index, { alarm: row, isNew }] of news.entries()) {
      const alarm = alarms[index];
      if (alarm === undefined || row.device_type === DEVICE_TYPE.PTS) continue;
      const place = { ownerId: row.owner_id, organizationPath: row.organization_path ?? [], deviceId: row.device_id };
      const object =
        row.channel_no === 0
          ? ({ kind: 'device', ...place } as const)
          : ({ kind: 'channel', ...place, channelNo: row.channel_no } as const);
      const isHiddenFromWeb = WEB_HIDDEN_DEVICE_TYPES.includes(row.device_type);
      hub.pushAbout({ kind: 'alarm', alarm, isNew }, object, { action: 'AlarmPush', isHiddenFromWeb });
    }
    // The next round waits for this one.
    if (isFlood) await wait(clock, BURST_POLL_MS);
  };

  #burstSampleSize(): number {
    return Math.min(BURST_SAMPLE_PER_PAGE, Math.ceil(BURST_MESSAGES / Math.max(1, this.#deps.hub.size)));
  }

  #perSecond(): number {
    return Math.min(PER_SECOND, Math.floor(MESSAGES_PER_SECOND / Math.max(1, this.#deps.hub.size)));
  }

  /** Count of alarms pushed in the current second. */
  #count(count: number): number {
    const second = Math.floor(this.#deps.clock.monotonicMs() / 1000);
    this.#inSecond = second === this.#second ? this.#inSecond + count : count;
    this.#second = second;
    return this.#inSecond;
  }
}
