// Types of the tables of statistics, by hand after migrations/*.sql. Times are milliseconds since 1970 UTC.
import type { TrafficDirection } from '@vedette/contract/site/site-traffic.ts';
import type { Grain } from '@vedette/rules/statistics/period.ts';

export type StatisticTopic = 'device' | 'alarm' | 'storage' | 'traffic';

interface DeviceStatusChangeTable {
  device_id: string;
  at: number;
  status: number;
  reason: string | null;
}

interface DeviceStatisticTable {
  grain: Grain;
  start_time: number;
  device_id: string;
  state: string;
  lasted_ms: number;
  begun: number;
}

interface AlarmStatisticTable {
  grain: Grain;
  start_time: number;
  device_id: string;
  channel_no: number;
  type: string;
  owner_id: string;
  raised: number;
  acknowledged: number;
  acknowledge_ms: number;
}

interface StorageStatisticTable {
  grain: Grain;
  start_time: number;
  channel_id: string;
  used_bytes: number;
  oldest_at: number;
}

interface TrafficStatisticTable {
  grain: Grain;
  start_time: number;
  device_id: string;
  channel_no: number;
  direction: TrafficDirection;
  account_id: string;
  bytes: number;
}

interface StatisticDueTable {
  topic: StatisticTopic;
  start_time: number;
}

export interface StatisticSchema {
  device_status_change: DeviceStatusChangeTable;
  device_statistic: DeviceStatisticTable;
  alarm_statistic: AlarmStatisticTable;
  storage_statistic: StorageStatisticTable;
  traffic_statistic: TrafficStatisticTable;
  statistic_due: StatisticDueTable;
}
