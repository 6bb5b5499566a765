// The layout that an account begins with: shown once after sign-in, chosen in the menu, kept with the account.
import type { Layout } from '@vedette/contract/calls/layout.ts';
import { useEffect } from 'react';
import { useClientState } from '../../session/client-state.ts';
import { useChangeProfile, useProfile } from '../account/account.query.ts';
import { useActiveLayout } from './active-layout.ts';
import type { LayoutContent } from './layout-content.ts';
import { useLayouts } from './layout.query.ts';

export function useHomeLayout(): {
  readonly homeId: string;
  /** Empty: none. */
  readonly choose: (layoutId: string) => Promise<void>;
} {
  const { data } = useProfile();
  const change = useChangeProfile();
  return { homeId: data?.homeLayout ?? '', choose: (homeLayout) => change({ homeLayout }) };
}

/** A wall on which something stands already is left as it is. */
export function useShowHomeLayout(isWallEmpty: boolean, onApply: (content: LayoutContent) => void): void {
  const dueId = useClientState((state) => state.homeLayout);
  const layouts = useLayouts(dueId !== '').data;
  useEffect(() => {
    if (dueId === '' || layouts === undefined) return;
    useClientState.setState({ homeLayout: '' });
    const home: Layout | undefined = layouts.find(({ layoutId }) => layoutId === dueId);
    if (home === undefined || !isWallEmpty) return;
    useActiveLayout.setState({ layout: home });
    onApply(home);
  }, [dueId, layouts, isWallEmpty, onApply]);
}
