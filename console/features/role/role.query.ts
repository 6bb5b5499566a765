// The account's own roles, all of them: for the screen that edits them and for shares that follow one.
import { useQuery } from '@tanstack/react-query';
import type { RoleDetails } from '@vedette/contract/calls/role.ts';
import { PAGE_SIZE } from '@vedette/contract/limits.ts';
import { useCaller } from '../../services/services.ts';

export interface RolesAnswer {
  readonly total: number;
  readonly roleList: readonly RoleDetails[];
}

export function useRoles(isAsked = true) {
  const caller = useCaller();
  return useQuery({
    queryKey: ['role/list'],
    queryFn: async ({ signal }): Promise<RolesAnswer> => {
      const roleList: RoleDetails[] = [];
      for (let pageStart = 0; ; pageStart += 1) {
        const input = { pageStart, pageSize: PAGE_SIZE.roles };
        const answer = await caller.ask('role/list', input, { signal, showError: false });
        roleList.push(...answer.roleList);
        if (roleList.length >= answer.total || answer.roleList.length === 0) return { total: answer.total, roleList };
      }
    },
    enabled: isAsked,
  });
}
