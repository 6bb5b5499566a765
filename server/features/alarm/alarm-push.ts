// Pushes changes of alarms to the pages of who may see them.
import { DEVICE_TYPE, WEB_HIDDEN_DEVICE_TYPES } from '@vedette/contract/enumerations.ts';
import type { RealtimeHub } from '../../bus/realtime-hub.ts';
import { type AlarmNews, alarmNewsAfter } from '../../database/alarm-read.queries.ts';
import type { Database } from '../../database/connection.ts';
import type { NewRows } from '../../database/sequence-follower.ts';
import { toAlarms } from './alarm-view.ts';

const AT_ONCE = 500;

export async function newsAfter(database: Database, seq: number): Promise<NewRows<AlarmNews>> {
  const { news, newest } = await alarmNewsAfter(database, seq, AT_ONCE);
  return { rows: news, newest };
}

export async function pushNews(database: Database, hub: RealtimeHub, news: readonly AlarmNews[]): Promise<void> {
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
}
