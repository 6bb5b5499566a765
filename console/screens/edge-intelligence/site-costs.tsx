// Each site that runs tasks: what it costs its machine, or what is missing there.
import type { AnalysisSite } from '@vedette/contract/calls/analysis.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { useT } from '../../language/use-t.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { useAnalysisSites } from './analysis.query.ts';
import style from './edge-intelligence-screen.module.css';

const INSTALL = 'npm run analyst:install';

export function SiteCosts() {
  const t = useT();
  const { data: sites = [] } = useAnalysisSites();
  if (sites.length === 0) return null;
  return (
    <div className={style.sites}>
      {sites.map((site) => (
        <SiteCost key={site.siteId} site={site} name={sites.length > 1 ? siteNameText(t, site.siteName) : ''} />
      ))}
    </div>
  );
}

/** The site beside the server has no name until it is given one. */
export function siteNameText(t: Translate, siteName: string): string {
  return siteName === '' ? t('sites.local') : siteName;
}

/** What keeps a site from running tasks; null: nothing does. */
function hindrance(t: Translate, state: AnalysisSite['state']): string | null {
  switch (state) {
    case 'missing':
      return t('edge.siteMissing', { command: INSTALL });
    case 'failed':
      return t('edge.siteFailed');
    case 'noDecoder':
      return t('edge.siteNoDecoder');
    case 'away':
      return t('edge.siteAway');
    case 'outdated':
      return t('edge.siteOutdated');
    default:
      return null;
  }
}

function roomText(t: Translate, roomFor: number | null): string {
  if (roomFor === null) return t('edge.roomUnknown');
  return roomFor < 1 ? t('edge.noRoom') : t('edge.room', { count: Math.floor(roomFor) });
}

function SiteCost({ site, name }: { readonly site: AnalysisSite; readonly name: string }) {
  const t = useT();
  const before = name === '' ? '' : `${name}: `;
  const missing = hindrance(t, site.state);
  if (missing !== null) {
    return (
      <Notice tone="warning">
        {before}
        {missing}
        {site.fault !== null && <code className={style.fault}>{site.fault}</code>}
      </Notice>
    );
  }
  const { msPerPicture, usedPercent, capPercent } = site;
  const refused = site.refusedList.map((model) => <RefusedModel key={model.name} model={model} before={before} />);
  const share = { used: Math.round(usedPercent), cap: Math.round(capPercent) };
  const cost =
    msPerPicture === null ? t('edge.use', share) : t('edge.cost', { ...share, ms: Math.round(msPerPicture) });
  return (
    <>
      <p className={style.cost}>
        {before}
        {roomText(t, site.roomFor)} <span>{cost}</span>
      </p>
      {refused}
    </>
  );
}

interface RefusedModelProps {
  readonly model: AnalysisSite['refusedList'][number];
  readonly before: string;
}

function RefusedModel({ model: { name, reason, fault }, before }: RefusedModelProps) {
  const t = useT();
  return (
    <Notice tone="warning">
      {before}
      {t(`edge.refused.${reason}`, { name })}
      {fault !== null && <code className={style.fault}>{fault}</code>}
    </Notice>
  );
}
