// Carries pushed events into the caches: statuses by row, everything else by fetching again.
import type { PushEvent } from '@vedette/contract/events.ts';
import type { QueryClient } from '@tanstack/react-query';
import { takeAlarm } from './alarm-store.ts';
import { usePtzEnd } from './ptz-end-store.ts';
import { useStatus } from './status-store.ts';

/** First words of the query keys that hold devices, organisations or rights. */
export const RESOURCE_QUERIES = [
  'resources',
  'device/list',
  'device/get',
  'channel/list',
  'org/list',
  'alarm/list',
  'share/given/list',
  'share/received/list',
] as const;

export async function fetchResourcesAgain(client: QueryClient): Promise<void> {
  await Promise.all(RESOURCE_QUERIES.map((name) => client.invalidateQueries({ queryKey: [name] })));
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
    case 'ptzEnded':
      usePtzEnd.setState({ last: event });
      return Promise.resolve();
    case 'resourcesChanged':
      return fetchResourcesAgain(client);
    case 'rightsChanged':
      return client.invalidateQueries();
  }
}
