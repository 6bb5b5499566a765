// Handler of ai/model/list: what the sites of the caller's cameras can run, and what it costs them.
import type { AnalysisSite } from '@vedette/contract/calls/analysis.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { visibleChannels } from '../../auth/visibility-conditions.ts';
import type { Database } from '../../database/connection.ts';
import { sitesWhere } from '../../database/device/site.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import type { SitesPort } from '../../site-link/site-port.ts';
import { analysisOfSites, type SiteAnalysis } from './site-analysis.ts';

export interface AnalysisModelDeps {
  readonly database: Database;
  readonly site: SitesPort;
}

export function analysisModelHandlers({ database, site }: AnalysisModelDeps): Handlers<'ai/model/list'> {
  return {
    'ai/model/list': async ({ rights, principal }) => {
      const rows = await sitesWhere(database, visibleChannels(await rights(), 'Config'));
      const answers = await analysisOfSites(
        site,
        rows.map((row) => row.site_id),
      );
      const isOperator = principal.userType === USER_TYPE.super;
      const siteList = rows.map((row) => ({
        siteId: row.site_id,
        siteName: row.site_name,
        ...figuresOf(answers.get(row.site_id), isOperator),
      }));
      return { total: siteList.length, siteList };
    },
  };
}

type SiteFigures = Omit<AnalysisSite, 'siteId' | 'siteName'>;

const NOTHING_KNOWN = {
  fault: null,
  msPerPicture: null,
  usedPercent: 0,
  capPercent: 0,
  roomFor: null,
  modelList: [],
  refusedList: [],
} satisfies Partial<SiteFigures>;

/** A fault may name files of the machine: it is for the operator alone. */
function figuresOf(answer: SiteAnalysis | undefined, isOperator: boolean): SiteFigures {
  if (answer === undefined || answer.status === null) return { ...NOTHING_KNOWN, state: answer?.state ?? 'away' };
  const { state, fault, models, refused = [], msPerPicture, usedPercent, capPercent, roomFor } = answer.status;
  const modelList = models.map(({ name, licence, size, classes }) => ({
    name,
    licence,
    size,
    classList: [...classes],
  }));
  const refusedList = refused.map((one) => ({ ...one, fault: isOperator ? one.fault : null }));
  const figures = { msPerPicture, usedPercent, capPercent, roomFor };
  return { state, fault: isOperator ? fault : null, ...figures, modelList, refusedList };
}
