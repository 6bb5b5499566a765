// How each part of the installation does: what to do where something is wrong, and measures of the last hour.
import type { HealthEntry } from '@vedette/contract/calls/system-health.ts';
import { Link } from 'react-router';
import { failureText } from '../../../calls/failure-text.ts';
import { useT } from '../../../language/use-t.ts';
import { useTimeFormat } from '../../../language/use-time-format.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Sparkline } from '../../../ui/feedback/sparkline.tsx';
import { StatusDot } from '../../../ui/feedback/status-dot.tsx';
import { SectionPage, SectionState } from '../settings/section-page.tsx';
import { BackUpNow } from '../backup/back-up-now.tsx';
import { type Health, useInstallationHealth } from './health.query.ts';
import { figureText, partText, reasonAddress, STATE_TONES } from './health-words.ts';
import style from './health.module.css';

export function HealthPanel() {
  const t = useT();
  const { data, isPending, error, refetch } = useInstallationHealth();
  if (data === undefined)
    return (
      <SectionState isPending={isPending} error={error} title={t('health.loadFailed')} onRetry={() => void refetch()} />
    );
  return (
    <SectionPage>
      {error !== null && (
        <Notice tone="warning">
          {t('health.notCurrent')} {failureText(t, error)}
        </Notice>
      )}
      <Summary health={data} />
      <ul className={style.parts} aria-label={t('health.parts')}>
        {data.partList.map((entry) => (
          <PartRow key={`${entry.part} ${entry.siteId}`} entry={entry} />
        ))}
      </ul>
      <p className={style.foot}>{t('health.lastHour')}</p>
    </SectionPage>
  );
}

function Summary({ health: { partList } }: { readonly health: Health }) {
  const t = useT();
  const bad = partList.filter(({ state }) => state === 'bad').length;
  const warnings = partList.filter(({ state }) => state === 'warning').length;
  const tone = bad > 0 ? 'offline' : warnings > 0 ? 'warning' : 'online';
  const said = bad + warnings === 0 ? t('health.allGood') : t.plural('health.attention', bad + warnings);
  return (
    <div className={style.summary} role="status" data-tone={tone}>
      <StatusDot tone={tone} label={said} />
    </div>
  );
}

/** Ten minutes at least: what began a moment ago is no course yet. */
const SLOTS_LEAST = 60;

function PartRow({ entry }: { readonly entry: HealthEntry }) {
  const t = useT();
  const format = useTimeFormat();
  const { part, siteId, state, reason, detail, figureList } = entry;
  const address = reasonAddress(reason);
  return (
    <li className={style.part} data-part={part} data-site={siteId || undefined} data-state={state}>
      <div className={style.about}>
        <span className={style.name}>{partText(t, entry)}</span>
        <StatusDot tone={STATE_TONES[state]} label={t(`healthState.${state}`)} />
      </div>
      {reason !== null && (
        <p className={style.reason}>
          {t(`healthReason.${reason}`)}
          {detail !== '' && ` ${detail}`}
          {address !== null && (
            <>
              {' '}
              <Link to={address}>{t('health.open')}</Link>
            </>
          )}
        </p>
      )}
      {figureList.length > 0 && (
        <dl className={style.figures}>
          {figureList.map(({ figure, value, series }) => (
            <div key={figure} className={style.figure} data-figure={figure}>
              <dt>{t(`healthFigure.${figure}`)}</dt>
              <dd>
                <span className={style.value}>{figureText(t, figure, value, format)}</span>
                {series.length > 1 && <Sparkline values={series} slots={Math.max(SLOTS_LEAST, series.length)} />}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {part === 'backup' && <BackUpNow />}
    </li>
  );
}
