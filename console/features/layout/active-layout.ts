// The saved layout that the wall of this page came from: it tells whether the wall was changed since, and where Save goes.
import type { Layout } from '@vedette/contract/calls/layout.ts';
import { create } from 'zustand';

export interface ActiveLayout {
  /** As it was last seen; null while the wall belongs to none. */
  readonly layout: Layout | null;
}

const STORAGE_KEY = 'vedette.layout';

export const useActiveLayout = create<ActiveLayout>(readStored);

useActiveLayout.subscribe(({ layout }) => {
  if (layout === null) sessionStorage.removeItem(STORAGE_KEY);
  else sessionStorage.setItem(STORAGE_KEY, JSON.stringify(layout));
});

function readStored(): ActiveLayout {
  const text = sessionStorage.getItem(STORAGE_KEY);
  if (text === null) return { layout: null };
  try {
    const value = JSON.parse(text) as Partial<Layout> | null;
    const isLayout = typeof value?.layoutId === 'string' && Array.isArray(value.tiles);
    return { layout: isLayout ? (value as Layout) : null };
  } catch (error) {
    if (error instanceof SyntaxError) return { layout: null };
    throw error;
  }
}
