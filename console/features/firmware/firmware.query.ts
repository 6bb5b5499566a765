// Firmware: which devices can be upgraded and how far each is, packages, and starting an upgrade.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCaller } from '../../services/services.ts';
import { useClientState } from '../../session/client-state.ts';

const KEY = ['device/upgrade/check'];
const PACKAGES = ['device/upgrade/package/list'];
/** While something is under way. */
const LOOK_EVERY_MS = 1500;
const UNDER_WAY = new Set(['taking', 'sending', 'installing']);

export function isUnderWay(state: string): boolean {
  return UNDER_WAY.has(state);
}

export function useUpgrades(isOpen: boolean) {
  const caller = useCaller();
  return useQuery({
    queryKey: KEY,
    enabled: isOpen,
    queryFn: async ({ signal }) => {
      const { upgradeList } = await caller.ask('device/upgrade/check', {}, { signal, showError: false });
      useClientState.setState({ deviceUpgradeList: upgradeList });
      return upgradeList;
    },
    refetchInterval: ({ state: { data } }) => (data?.some(({ state }) => isUnderWay(state)) ? LOOK_EVERY_MS : false),
    staleTime: 0,
  });
}

export function usePackages(isOpen: boolean) {
  const caller = useCaller();
  return useQuery({
    queryKey: PACKAGES,
    enabled: isOpen,
    queryFn: async ({ signal }) =>
      (await caller.ask('device/upgrade/package/list', {}, { signal, showError: false })).packageList,
    staleTime: 0,
  });
}

export function useFirmwareActions() {
  const caller = useCaller();
  const client = useQueryClient();
  const refresh = async (): Promise<void> => {
    await Promise.all([KEY, PACKAGES].map((queryKey) => client.invalidateQueries({ queryKey })));
  };
  return {
    refresh,
    start: async (deviceSerial: string): Promise<void> => {
      await caller.ask('device/upgrade/start', { deviceSerial });
      await refresh();
    },
    removePackage: async (packageId: string): Promise<void> => {
      await caller.ask('device/upgrade/package/delete', { packageId });
      await refresh();
    },
  };
}
