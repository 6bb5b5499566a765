// Who looks at the screens on this page now.
import { isAppScope } from '@vedette/contract/app-scopes.ts';
import { useMemo } from 'react';
import { useAuth } from '../../session/auth-store.ts';
import { useClientState } from '../../session/client-state.ts';
import type { RowViewer } from './row-viewer.ts';

export function useRowViewer(): RowViewer {
  const userType = useAuth((auth) => auth.userType);
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  const saasScope = useClientState(({ saas }) => (saas.token === '' ? null : saas.scope));
  return useMemo(
    () => ({ isSignedIn, userType, saasScopes: saasScope === null ? null : saasScope.split(' ').filter(isAppScope) }),
    [isSignedIn, userType, saasScope],
  );
}
