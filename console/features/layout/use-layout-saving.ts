// Saving, naming and removing layouts from the menu: what is asked of the user, what is under way, what went wrong.
import type { Layout } from '@vedette/contract/calls/layout.ts';
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { useActiveLayout } from './active-layout.ts';
import { type LayoutContent, sameContent } from './layout-content.ts';
import type { LayoutNaming } from './layout-form.tsx';
import { useLayoutActions } from './layout.query.ts';

/** What the name is asked for: `layout` is renamed or shared, or null for a new one. */
interface Naming {
  readonly layout: Layout | null;
  readonly start: LayoutNaming;
}

type Wanted = LayoutContent & LayoutNaming;

/** What could not be saved because somebody was quicker. */
interface Stale {
  readonly newer: Layout;
  readonly wanted: Wanted;
}

interface SavingState {
  readonly naming: Naming | null;
  readonly stale: Stale | null;
  readonly isBusy: boolean;
  readonly failure: unknown;
}

const IDLE: SavingState = { naming: null, stale: null, isBusy: false, failure: null };

/** Stores a layout and shows what came of it. `store` answers the sentence for the name's field, or null when all is done. */
function useStoring(setState: (state: SavingState) => void) {
  const t = useT();
  const actions = useLayoutActions();
  async function store(target: Layout | null, wanted: Wanted): Promise<string | null> {
    const { name, shared, split, tiles } = wanted;
    const seen = target === null ? {} : { layoutId: target.layoutId, version: target.version };
    const outcome = await actions.save({ ...seen, name, shared, split, tiles });
    if (outcome.kind === 'nameTaken') return t('layouts.nameTaken');
    setState({ ...IDLE, stale: outcome.kind === 'stale' ? { newer: outcome.newer, wanted } : null });
    // A layout that is renamed beside the wall's own leaves that one the active one.
    const isActive = target === null || target.layoutId === useActiveLayout.getState().layout?.layoutId;
    if (outcome.kind === 'gone') {
      if (isActive) useActiveLayout.setState({ layout: null });
      showToast('info', t('layouts.gone'));
    }
    if (outcome.kind === 'saved') {
      if (isActive) useActiveLayout.setState({ layout: outcome.layout });
      showToast('success', t('layouts.saved', { name: outcome.layout.name }));
    }
    return null;
  }
  /** For buttons that have no field to speak at. */
  async function run(target: Layout, wanted: Wanted): Promise<void> {
    setState({ ...IDLE, isBusy: true });
    try {
      const problem = await store(target, wanted);
      if (problem !== null) setState({ ...IDLE, naming: { layout: target, start: wanted } });
    } catch (failure) {
      setState({ ...IDLE, failure });
    }
  }
  return { store, run, remove: (layout: Layout) => actions.remove(layout.layoutId) };
}

export function useLayoutSaving(content: LayoutContent, onApply: (content: LayoutContent) => void) {
  const active = useActiveLayout((state) => state.layout);
  const [state, setState] = useState(IDLE);
  const { store, run, remove } = useStoring(setState);
  const apply = (layout: Layout): void => {
    useActiveLayout.setState({ layout });
    onApply(layout);
    setState(IDLE);
  };
  const askName = (layout: Layout | null, start: LayoutNaming): void =>
    setState({ ...IDLE, naming: { layout, start } });
  return {
    ...state,
    active,
    isChanged: active !== null && !sameContent(active, content),
    apply,
    save: async () => {
      if (active !== null) await run(active, { ...content, name: active.name, shared: active.shared });
    },
    saveAs: () => askName(null, { name: '', shared: false }),
    edit: (layout: Layout) => askName(layout, { name: layout.name, shared: layout.shared }),
    close: () => setState(IDLE),
    saveNamed: async (naming: LayoutNaming): Promise<string | null> => {
      const target = state.naming?.layout ?? null;
      const { split, tiles } = target ?? content;
      return await store(target, { split, tiles, ...naming });
    },
    remove,
    showNewer: apply,
    overwrite: (newer: Layout) => {
      if (state.stale !== null) void run(newer, state.stale.wanted);
    },
  };
}
