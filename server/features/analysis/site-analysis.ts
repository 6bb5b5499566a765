// Asks sites what their edge intelligence does.
import type { SiteAnalysisState } from '@vedette/contract/calls/analysis.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { AnalysisCalls } from '@vedette/contract/site/site-analysis.ts';
import { CallError } from '../../core/call-error.ts';
import type { SitePort, SitesPort } from '../../site-link/site-port.ts';

export interface SiteAnalysis {
  readonly state: SiteAnalysisState;
  /** Null of a site that said nothing. */
  readonly status: AnalysisCalls['analysisStatus']['output'] | null;
}

const AWAY: SiteAnalysis = { state: 'away', status: null };

/** By site, all asked at once. */
export async function analysisOfSites(
  site: SitesPort,
  siteIds: readonly string[],
): Promise<ReadonlyMap<string, SiteAnalysis>> {
  const answers = [...new Set(siteIds)].map(async (siteId) => [siteId, await analysisOf(site.at(siteId))] as const);
  return new Map(await Promise.all(answers));
}

async function analysisOf(one: SitePort): Promise<SiteAnalysis> {
  if (!one.isOnline()) return AWAY;
  try {
    const status = await one.call('analysisStatus', {});
    return { state: status.state, status };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return error.code === ERROR_CODES.functionNotSupported ? { state: 'outdated', status: null } : AWAY;
  }
}
