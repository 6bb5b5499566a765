// Alarm feed: pushes alarm changes to pages that may see them; in a burst a sample and a notice of the rest.
import { DEVICE_TYPE, WEB_HIDDEN_DEVICE_TYPES } from '@vedette/contract/enumerations.ts';
import type { RealtimeHub } from '../../bus/realtime-hub.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { type AlarmNews, alarmNewsAfter, newestAlarmNews } from '../../database/alarm-news.queries.ts';
import type { Database } from '../../database/connection.ts';
import type { NewRows } from '../../database/sequence-follower.ts';
import { toAlarms } from './alarm-view.ts';

/** More than that in a second is no news any more that anybody could read one by one. */
const PER_SECOND = 500;
/** To all pages together: a fifth of a processor. */
const MESSAGES_PER_SECOND = 20_000;
/** Of a flood, at each look at it: to one page, and to all together. */
const SHOWN_OF_FLOOD = 50;
const FLOOD_MESSAGES = 1000;
/** Between two looks at a flood: each reads what the database is busy writing. */
const FLOOD_LOOKS_APART_MS = 250;

/** Null in the place of what was left out. */
export type PushedNews = AlarmNews | null;

export interface AlarmPushParts {
  readonly database: Database;
  readonly hub: Pick<RealtimeHub, 'pushAbout' | 'pushToHolders' | 'size'>;
  readonly clock: Clock;
}

export class AlarmPush {
  readonly #parts: AlarmPushParts;
  #second = 0;
  #inSecond = 0;
  /** The second in which pages were last told that they missed some. */
  #missedIn = -1;

  constructor(parts: AlarmPushParts) {
    this.#parts = parts;
  }

  readonly newsAfter = async (seq: number): Promise<NewRows<PushedNews>> => {
    const { database } = this.#parts;
    const last = await newestAlarmNews(database);
    const room = Math.max(0, this.#perSecond() - this.#counted(0));
    const from = last - seq > room ? Math.max(seq, last - Math.min(this.#shownOfFlood(), room)) : seq;
    if (from >= last) return { rows: last > seq ? [null] : [], newest: Math.max(seq, last) };
    // What is committed meanwhile is of the next look: a storm commits thousands.
    const { news, newest } = await alarmNewsAfter(database, from, { limit: last - from });
    this.#counted(news.length);
    return { rows: from === seq ? news : [null, ...news], newest };
  };

  readonly push = async (pushed: readonly PushedNews[]): Promise<void> => {
    const { database, hub, clock } = this.#parts;
    const news = pushed.filter((one) => one !== null);
    const isFlood = news.length < pushed.length;
    if (isFlood && this.#missedIn !== this.#second) {
      // Once in a second: pages fetch again later than that.
      this.#missedIn = this.#second;
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
    if (isFlood) await new Promise<void>((resolve) => void clock.after(FLOOD_LOOKS_APART_MS, resolve));
  };

  #shownOfFlood(): number {
    return Math.min(SHOWN_OF_FLOOD, Math.ceil(FLOOD_MESSAGES / Math.max(1, this.#parts.hub.size)));
  }

  #perSecond(): number {
    return Math.min(PER_SECOND, Math.floor(MESSAGES_PER_SECOND / Math.max(1, this.#parts.hub.size)));
  }

  /** So many, with these, were pushed in the second that runs. */
  #counted(count: number): number {
    const second = Math.floor(this.#parts.clock.monotonicMs() / 1000);
    this.#inSecond = second === this.#second ? this.#inSecond + count : count;
    this.#second = second;
    return this.#inSecond;
  }
}
