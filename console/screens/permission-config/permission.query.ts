// Roles, accounts and the audit log as the screen asks for them.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { AuditEntry } from '@vedette/contract/calls/audit.ts';
import type { User } from '@vedette/contract/calls/user.ts';
import type { Resource } from '@vedette/contract/entities.ts';
import { PAGE_SIZE, PAGE_SIZE_MAX } from '@vedette/contract/limits.ts';
import { useCaller } from '../../services/services.ts';

export function useUsers(keyWord: string, pageStart: number) {
  const caller = useCaller();
  const input = { keyWord, pageStart, pageSize: PAGE_SIZE.roles };
  return useQuery({
    queryKey: ['user/list', input],
    queryFn: async ({ signal }): Promise<{ total: number; userList: readonly User[] }> =>
      await caller.ask('user/list', input, { signal, showError: false }),
  });
}

/** Roles and accounts name each other: a change of one is one of both. */
export function useFetchPermissions(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all(
      ['role/list', 'user/list', 'user/view', 'audit/list'].map((name) =>
        client.invalidateQueries({ queryKey: [name] }),
      ),
    );
  };
}

export interface UserView {
  readonly permissionList: readonly string[];
  readonly resources: readonly Resource[];
}

export function useUserView(userId: string) {
  const caller = useCaller();
  return useQuery({
    queryKey: ['user/view', userId],
    queryFn: async ({ signal }): Promise<UserView> => {
      const resources: Resource[] = [];
      for (let pageStart = 0; ; pageStart += 1) {
        const input = { userId, pageStart, pageSize: PAGE_SIZE_MAX };
        const answer = await caller.ask('user/view', input, { signal, showError: false });
        resources.push(...answer.resourceList);
        if (resources.length >= answer.total || answer.resourceList.length === 0)
          return { permissionList: answer.permissionList, resources };
      }
    },
  });
}

export interface AuditFilter {
  readonly kind: 'all' | AuditEntry['kind'];
  readonly userName: string;
  readonly isRefused: boolean;
  /** Empty: of all. */
  readonly deviceSerial: string;
  readonly startTime: number | null;
  readonly endTime: number | null;
}

export function auditInput({ kind, userName, isRefused, deviceSerial, startTime, endTime }: AuditFilter) {
  return {
    ...(kind !== 'all' && { kind }),
    ...(userName !== '' && { userName }),
    ...(isRefused && { isRefused }),
    ...(deviceSerial !== '' && { deviceSerial }),
    ...(startTime !== null && { startTime }),
    ...(endTime !== null && { endTime }),
  };
}

export const AUDIT_PAGE = 50;

export function useAudit(filter: AuditFilter, pageStart: number) {
  const caller = useCaller();
  const input = { ...auditInput(filter), pageStart, pageSize: AUDIT_PAGE };
  return useQuery({
    queryKey: ['audit/list', input],
    queryFn: async ({ signal }): Promise<{ total: number; auditList: readonly AuditEntry[] }> =>
      await caller.ask('audit/list', input, { signal, showError: false }),
    placeholderData: (before) => before,
  });
}
