// One device, its channels, and what can be done to it.
import type { Device } from '@vedette/contract/entities.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { allChannels } from '../../calls/paged-calls.ts';
import { fetchResourcesAgain } from '../../realtime/push-to-cache.ts';
import { useCaller } from '../../services/services.ts';

export function useDevice(deviceSerial: string) {
  const caller = useCaller();
  return useQuery({
    queryKey: ['device/get', deviceSerial],
    queryFn: async ({ signal }) => (await caller.ask('device/get', { deviceSerial }, { signal })).device,
  });
}

export function useChannels(deviceSerial: string) {
  const caller = useCaller();
  return useQuery({
    queryKey: ['channel/list', deviceSerial],
    queryFn: ({ signal }) => allChannels(caller, deviceSerial, { signal, showError: false }),
  });
}

/** A still of the first channel; null where the device gives none (silent, CA-08). */
export function useSnapshot(deviceSerial: string, channelNo: number, isWanted: boolean) {
  const caller = useCaller();
  return useQuery({
    queryKey: ['capture/get', deviceSerial, channelNo],
    queryFn: async ({ signal }) => (await caller.ask('capture/get', { deviceSerial, channelNo }, { signal })).url,
    enabled: isWanted,
    retry: false,
    staleTime: 60_000,
    // The address carries a ticket that ends when it is not used: whoever looks again asks again.
    gcTime: 0,
  });
}

export function useDeviceActions(deviceSerial: string) {
  const caller = useCaller();
  const client = useQueryClient();
  return useMemo(
    () => ({
      rename: async (device: Device, deviceName: string): Promise<void> => {
        const { version } = device;
        await caller.ask('device/update', { deviceSerial, deviceName, version }, { showError: false });
        await fetchResourcesAgain(client);
      },
      renameChannel: async (channelNo: number, channelName: string): Promise<void> => {
        await caller.ask('channel/update', { deviceSerial, channelNo, channelName }, { showError: false });
        await fetchResourcesAgain(client);
      },
      move: async (organizationId: string): Promise<void> => {
        await caller.ask('device/move', { deviceSerial, organizationId });
        await fetchResourcesAgain(client);
      },
      /** Shows its success by itself (CA-08). */
      remove: async (): Promise<void> => {
        await caller.ask('device/delete', { deviceSerial }, { showError: false });
        client.removeQueries({ queryKey: ['device/get', deviceSerial] });
        await fetchResourcesAgain(client);
      },
    }),
    [caller, client, deviceSerial],
  );
}
