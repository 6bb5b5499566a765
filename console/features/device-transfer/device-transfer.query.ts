// Devices that the account offers to others and that are offered to it; and the calls that change them.
import type { DeviceTransfer } from '@vedette/contract/calls/onboarding.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { fetchResourcesAgain } from '../../realtime/push-to-cache.ts';
import { useCaller } from '../../services/services.ts';

const TRANSFERS = ['device/transfer/list'] as const;
/** Offers end by time alone, which nobody tells. */
const ENDED_EVERY_MS = 60_000;

export function useTransfers(isAsked = true) {
  const caller = useCaller();
  return useQuery({
    queryKey: TRANSFERS,
    queryFn: async ({ signal }) =>
      (await caller.ask('device/transfer/list', {}, { signal, showError: false })).transferList,
    staleTime: 5000,
    refetchInterval: ENDED_EVERY_MS,
    enabled: isAsked,
  });
}

/** How many devices are offered to the account; new ones are told by push. */
export function useOfferedDeviceCount(isAsked: boolean): number {
  const { data } = useTransfers(isAsked);
  return (data ?? []).filter(({ isGiven }) => !isGiven).length;
}

export function useTransferActions() {
  const caller = useCaller();
  const client = useQueryClient();
  const silent = { showError: false };
  return {
    offer: async (deviceSerial: string, account: string): Promise<void> => {
      await caller.ask('device/transfer', { deviceSerial, account }, silent);
      await client.invalidateQueries({ queryKey: TRANSFERS });
    },
    accept: async ({ transferId }: DeviceTransfer): Promise<void> => {
      await caller.ask('device/transfer/accept', { transferId }, silent);
      await fetchResourcesAgain(client);
    },
    /** The giver's withdrawal and the taker's refusal. */
    end: async ({ transferId }: DeviceTransfer): Promise<void> => {
      await caller.ask('device/transfer/refuse', { transferId }, silent);
      await client.invalidateQueries({ queryKey: TRANSFERS });
    },
  };
}
