// What the account may do at all, for leading it only where something waits for it (PM-02); the server decides anew each time.
import type { Permission } from '@vedette/contract/permissions.ts';
import { useQuery } from '@tanstack/react-query';
import { useCaller } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';

export type PermissionFlags = Readonly<Record<Permission, boolean>>;

/** Undefined while it is not known. */
export function usePermissionFlags(): PermissionFlags | undefined {
  return usePermissionList().data?.flags;
}

/** With why it is not known. */
export function usePermissionList() {
  const caller = useCaller();
  const userId = useAuth((auth) => auth.userId);
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  return useQuery({
    queryKey: ['permission/list', userId],
    enabled: isSignedIn,
    queryFn: ({ signal }) => caller.ask('permission/list', {}, { signal, showError: false }),
    staleTime: 60_000,
  });
}
