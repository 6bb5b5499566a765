// The workspace as it stands: the tab at the address, and the list of opened ones, which outlives a reload.
import { useEffect, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useClientState } from '../../session/client-state.ts';
import {
  isFixed,
  knownTabs,
  movedTab,
  neighbour,
  type Opened,
  tabAddress,
  tabAt,
  type TabName,
  withShown,
} from './workspace-tabs.ts';

export interface Workspace {
  readonly shown: TabName;
  readonly opened: readonly Opened[];
  /** Where one was in it, or where `search` leads. */
  readonly open: (tab: TabName, search?: string) => void;
  /** Answers the tab that is shown instead. */
  readonly close: (tab: TabName) => TabName;
  /** Indexes among the opened ones. */
  readonly move: (from: number, to: number) => void;
}

const keep = (workspaceTabs: readonly Opened[]): void => useClientState.setState({ workspaceTabs });

export function useWorkspace(): Workspace {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const kept = useClientState((state) => state.workspaceTabs);
  const [closing, setClosing] = useState<TabName | null>(null);
  const shown = tabAt(pathname, search);
  const opened = useMemo(() => withShown(knownTabs(kept), { tab: shown, search }), [kept, shown, search]);
  useEffect(() => {
    // A tab with unsaved changes goes only once it was really left.
    const isLeft = closing !== null && closing !== shown;
    if (isLeft) setClosing(null);
    const next = isLeft ? opened.filter(({ tab }) => tab !== closing) : opened;
    if (JSON.stringify(next) !== JSON.stringify(kept)) keep(next);
  }, [opened, kept, closing, shown]);
  const go = (tab: TabName, to: string): void => {
    // From the fixed tabs one can go back to; among opened ones the history stays short.
    if (tab !== shown || to !== search) void navigate(tabAddress({ tab, search: to }), { replace: !isFixed(shown) });
  };
  const placeIn = (tab: TabName): string => opened.find((one) => one.tab === tab)?.search ?? '';
  return {
    shown,
    opened,
    open: (tab, to = '') => {
      setClosing(null);
      go(tab, to === '' ? placeIn(tab) : to);
    },
    close: (tab) => {
      if (tab !== shown) {
        keep(opened.filter((one) => one.tab !== tab));
        return shown;
      }
      const next = neighbour(opened, tab);
      setClosing(tab);
      go(next.tab, next.search);
      return next.tab;
    },
    move: (from, to) => keep(movedTab(opened, from, to)),
  };
}
