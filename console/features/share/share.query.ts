// What the account shares, what is shared with it, and its guest links; and the calls that change them.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallInput, CallOutput } from '@vedette/contract/calls/calls.ts';
import type { Share } from '@vedette/contract/calls/share.ts';
import { SHARE_STATES } from '@vedette/contract/enumerations.ts';
import { allLinks, allShares } from '../../calls/paged-calls.ts';
import { useCaller } from '../../services/services.ts';

export type MadeLink = CallOutput<'share/link/create'>;

const GIVEN = ['share/given/list'] as const;
const RECEIVED = ['share/received/list'] as const;
const LINKS = ['share/link/list'] as const;

/** One share with all its items. */
export interface SharedItems {
  readonly shareId: string;
  readonly first: Share;
  readonly items: readonly Share[];
}

/** Lists answer a row per item; people think of a share as one thing. */
export function groupShares(rows: readonly Share[]): SharedItems[] {
  return [...Map.groupBy(rows, (row) => row.shareId)].flatMap(([shareId, items]) => {
    const [first] = items;
    return first === undefined ? [] : [{ shareId, first, items }];
  });
}

/** Time alone changes states: looked at anew this often. */
const STATES_EVERY_MS = 30_000;

function useShares(path: 'share/given/list' | 'share/received/list', key: readonly string[], isAsked: boolean) {
  const caller = useCaller();
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }) =>
      groupShares(await allShares(caller, path, SHARE_STATES, { signal, showError: false })),
    staleTime: 5000,
    refetchInterval: STATES_EVERY_MS,
    enabled: isAsked,
  });
}

export function useGiven(isAsked = true) {
  return useShares('share/given/list', GIVEN, isAsked);
}

export function useReceived(isAsked = true) {
  return useShares('share/received/list', RECEIVED, isAsked);
}

/** How many shares wait to be accepted; new ones are told by push. */
export function useOfferCount(isAsked: boolean): number {
  const caller = useCaller();
  const { data } = useQuery({
    queryKey: [...RECEIVED, 'pending'],
    queryFn: async ({ signal }) =>
      groupShares(await allShares(caller, 'share/received/list', ['pending'], { signal, showError: false })).length,
    enabled: isAsked,
  });
  return data ?? 0;
}

export function useLinks() {
  const caller = useCaller();
  return useQuery({
    queryKey: LINKS,
    queryFn: ({ signal }) => allLinks(caller, { signal, showError: false }),
    staleTime: 5000,
  });
}

export function useShareActions() {
  const caller = useCaller();
  const queries = useQueryClient();
  const silent = { showError: false };
  const again = async (): Promise<void> => {
    await Promise.all([GIVEN, RECEIVED, LINKS].map((queryKey) => queries.invalidateQueries({ queryKey })));
  };
  return {
    /** Answers whether the other side has to accept it first. */
    add: async (input: CallInput<'share/add'>): Promise<boolean> => {
      const { isPending } = await caller.ask('share/add', input, silent);
      await again();
      return isPending;
    },
    change: async (input: CallInput<'share/update'>): Promise<void> => {
      await caller.ask('share/update', input, silent);
      await again();
    },
    accept: async (shareId: string): Promise<void> => {
      await caller.ask('share/accept', { shareId }, silent);
      await again();
    },
    withdraw: async ({ shareId, shareType }: Share): Promise<void> => {
      await caller.ask('share/delete', { shareId, shareType }, silent);
      await again();
    },
    quit: async (shareId: string): Promise<void> => {
      await caller.ask('share/quit', { shareId }, silent);
      await again();
    },
    makeLink: async (input: CallInput<'share/link/create'>): Promise<MadeLink> => {
      const made = await caller.ask('share/link/create', input, silent);
      await again();
      return made;
    },
    revokeLink: async (linkId: string): Promise<void> => {
      await caller.ask('share/link/revoke', { linkId }, silent);
      await again();
    },
  };
}
