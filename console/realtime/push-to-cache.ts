// Carries pushed events into the caches: statuses by row, everything else by fetching again.
import type { PushEvent } from '@vedette/contract/calls/page-events.ts';
import type { QueryClient } from '@tanstack/react-query';
import { takeAlarm } from './alarm-store.ts';
import { takeAlarmWindow } from './alarm-window-store.ts';
import { useEndedPtzLease } from './ptz-lease-store.ts';
import { useStatus } from './status-store.ts';

/** First words of the query keys that hold devices, organisations or rights. */
export const RESOURCE_QUERIES = [
  'resources',
  'device/list',
  'device/get',
  'device/batch',
  'device/transfer/list',
  'channel/list',
  'org/list',
  'floorPlan/list',
  'floorPlan/get',
  'alarm/list',
  'share/given/list',
  'share/received/list',
] as const;

export async function fetchResourcesAgain(client: QueryClient): Promise<void> {
  await Promise.all(RESOURCE_QUERIES.map((name) => client.invalidateQueries({ queryKey: [name] })));
}

/** Milliseconds: so many pages do not all ask at one moment. */
const MISSED = { least: 1500, spread: 3000 } as const;
let isAlarmsWanted = false;

/** While a flood lasts, once in a few seconds. */
function fetchAlarmsLater(client: QueryClient): void {
  if (isAlarmsWanted) return;
  isAlarmsWanted = true;
  setTimeout(
    () => {
      isAlarmsWanted = false;
      void client.invalidateQueries({ queryKey: ['alarm/list'] });
    },
    MISSED.least + Math.random() * MISSED.spread,
  );
}

export function pushToCache(client: QueryClient, event: PushEvent): Promise<void> {
  switch (event.kind) {
    case 'deviceStatus': {
      const { deviceSerial, status, statusReason, at } = event;
      useStatus.setState(({ devices }) => ({ devices: { ...devices, [deviceSerial]: { status, statusReason, at } } }));
      return client.invalidateQueries({ queryKey: ['device/list'], refetchType: 'none' });
    }
    case 'channelStatus': {
      const { deviceSerial, channelNo, status, isRecording } = event;
      const key = `${deviceSerial}:${channelNo}`;
      useStatus.setState(({ channels }) => ({ channels: { ...channels, [key]: { status, isRecording } } }));
      return Promise.resolve();
    }
    case 'alarm':
      takeAlarm(event.alarm, event.isNew);
      return Promise.resolve();
    case 'alarmsMissed':
      fetchAlarmsLater(client);
      return Promise.resolve();
    case 'alarmWindow':
      takeAlarmWindow(event);
      return Promise.resolve();
    case 'ptzEnded':
      useEndedPtzLease.setState({ last: event });
      return Promise.resolve();
    case 'resourcesChanged':
      return fetchResourcesAgain(client);
    case 'rightsChanged':
      return client.invalidateQueries();
  }
}
