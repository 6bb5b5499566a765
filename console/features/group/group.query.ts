// The groups of devices and what can be done to them.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ListedGroup } from '@vedette/contract/calls/group.ts';
import { PAGE_SIZE } from '@vedette/contract/limits.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { useCaller } from '../../services/services.ts';
import { cacheGroups, cachedGroups } from '../../session/cached-lists.ts';

/** All groups, 16 a page, the default one first. */
export function useGroups() {
  const caller = useCaller();
  return useQuery({
    queryKey: ['group/list'],
    queryFn: async ({ signal }): Promise<readonly ListedGroup[]> => {
      const groups: ListedGroup[] = [];
      for (let pageStart = 0; ; pageStart += 1) {
        const input = { pageStart, pageSize: PAGE_SIZE.groups };
        const { groupList, total } = await caller.ask('group/list', input, { signal, showError: false });
        groups.push(...groupList);
        if (groups.length < total && groupList.length > 0) continue;
        cacheGroups(groups);
        return groups;
      }
    },
    placeholderData: cachedGroups,
    staleTime: 60_000,
  });
}

/** One page of the groups whose names hold `searched`; from 0. */
export function useGroupPage(searched: string, pageStart: number) {
  const caller = useCaller();
  const input = { pageStart, pageSize: PAGE_SIZE.groups, ...(searched !== '' && { groupName: searched }) };
  return useQuery({
    queryKey: ['group/list', input],
    queryFn: async ({ signal }) => await caller.ask('group/list', input, { signal, showError: false }),
    placeholderData: keepPreviousData,
  });
}

/** The default group has no name of its own: it shows under a localised one (EN-03). */
export function groupName(t: Translate, group: Pick<ListedGroup, 'groupName' | 'isDefault'>): string {
  return group.isDefault ? t('group.default') : group.groupName;
}

export function useGroupChanges() {
  const caller = useCaller();
  const client = useQueryClient();
  const silent = { showError: false } as const;
  const after = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work;
    } finally {
      await Promise.all(['group/list', 'device/list'].map((name) => client.invalidateQueries({ queryKey: [name] })));
    }
  };
  return {
    add: (name: string) => after(caller.ask('group/add', { groupName: name }, silent)),
    rename: ({ groupId, version }: ListedGroup, name: string) =>
      after(caller.ask('group/update', { groupId, version, groupName: name }, silent)),
    remove: ({ groupId }: ListedGroup) => after(caller.ask('group/delete', { groupId }, silent)),
    assign: (groupId: string, deviceSerialList: string[]) =>
      after(caller.ask('group/device/set', { groupId, deviceSerialList }, silent)),
  };
}
