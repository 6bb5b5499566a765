// The sites that the caller may use, and what the operator does with them.
import type { Site, SiteCode } from '@vedette/contract/calls/site.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Translate } from '@vedette/phrases/translate.ts';
import { useCaller } from '../../services/services.ts';

const KEY = ['site/list'];
const USUAL_MS = 10_000;
/** While somebody looks whether a new site comes. */
const EXPECTING_MS = 1000;

export function useSites(options: { readonly isExpecting?: boolean; readonly isOn?: boolean } = {}) {
  const caller = useCaller();
  return useQuery({
    queryKey: KEY,
    enabled: options.isOn ?? true,
    queryFn: async ({ signal }) => (await caller.ask('site/list', {}, { signal, showError: false })).siteList,
    refetchInterval: options.isExpecting ? EXPECTING_MS : USUAL_MS,
  });
}

export function useSiteChanges() {
  const caller = useCaller();
  const client = useQueryClient();
  const after = async <R>(work: Promise<R>): Promise<R> => {
    try {
      return await work;
    } finally {
      await client.invalidateQueries({ queryKey: KEY });
    }
  };
  return {
    add: (siteName: string): Promise<SiteCode> => after(caller.ask('site/add', { siteName }, { showError: false })),
    newCode: (siteId: string): Promise<SiteCode> => after(caller.ask('site/code', { siteId }, { showError: false })),
    rename: (siteId: string, siteName: string) =>
      after(caller.ask('site/rename', { siteId, siteName }, { showError: false })),
    remove: (siteId: string) => after(caller.ask('site/delete', { siteId }, { showError: false })),
  };
}

/** The site beside the server has no name until it is given one. */
export function siteNameOf(t: Translate, { siteName, isLocal }: Pick<Site, 'siteName' | 'isLocal'>): string {
  return siteName === '' && isLocal ? t('sites.local') : siteName;
}
