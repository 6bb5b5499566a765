// The saved layouts of the account, and the calls that change them.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import type { Layout } from '@vedette/contract/calls/layout.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { PAGE_SIZE_MAX } from '@vedette/contract/limits.ts';
import { CallFailure, isFailure } from '../../calls/call-failure.ts';
import { useCaller } from '../../services/services.ts';
import { useActiveLayout } from './active-layout.ts';

const LAYOUTS_KEY = ['layouts'] as const;

export function useLayouts(isAsked = true) {
  const caller = useCaller();
  return useQuery({
    queryKey: LAYOUTS_KEY,
    queryFn: async ({ signal }) => {
      const { layoutList } = await caller.ask('layout/list', { pageSize: PAGE_SIZE_MAX }, { signal, showError: false });
      return layoutList;
    },
    // Others share and change layouts too: the menu looks anew whenever it opens.
    staleTime: 0,
    enabled: isAsked,
  });
}

export type SaveOutcome =
  | { readonly kind: 'saved'; readonly layout: Layout }
  /** Somebody else saved first. */
  | { readonly kind: 'stale'; readonly newer: Layout }
  | { readonly kind: 'nameTaken' }
  /** Deleted meanwhile, or not shared any more. */
  | { readonly kind: 'gone' };

export interface LayoutActions {
  /** Rejects for all that is not an outcome. */
  save(layout: CallInput<'layout/save'>): Promise<SaveOutcome>;
  remove(layoutId: string): Promise<void>;
}

export function useLayoutActions(): LayoutActions {
  const caller = useCaller();
  const queries = useQueryClient();
  const refetch = () => queries.invalidateQueries({ queryKey: LAYOUTS_KEY });
  return {
    save: async (input) => {
      try {
        const { layout } = await caller.ask('layout/save', input, { showError: false });
        await refetch();
        return { kind: 'saved', layout };
      } catch (failure) {
        if (!(failure instanceof CallFailure)) throw failure;
        if (failure.code === ERROR_CODES.stale) return { kind: 'stale', newer: failure.data as Layout };
        if (failure.code === ERROR_CODES.alreadyExists) return { kind: 'nameTaken' };
        if (failure.code !== ERROR_CODES.notFound) throw failure;
        await refetch();
        return { kind: 'gone' };
      }
    },
    remove: async (layoutId) => {
      try {
        await caller.ask('layout/delete', { layoutId }, { showError: false });
      } catch (failure) {
        // What is gone already is deleted.
        if (!isFailure(failure, ERROR_CODES.notFound)) throw failure;
      }
      if (useActiveLayout.getState().layout?.layoutId === layoutId) useActiveLayout.setState({ layout: null });
      await refetch();
    },
  };
}
