// The trusted browsers, which skip two-factor authentication, and revoking them.
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useRevokeTrustedBrowser, useTrustedBrowsers } from '../../features/account/account.query.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import rows from '../../ui/layout/list-rows.module.css';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SkeletonLines } from '../../ui/feedback/state-view.tsx';
import { PanelFrame, PanelRow } from './panel.tsx';
import style from './personal-screen.module.css';

export function TrustedBrowsersPanel() {
  const t = useT();
  const format = useTimeFormat();
  const { data, isPending, error } = useTrustedBrowsers();
  const distrust = useRevokeTrustedBrowser();
  return (
    <PanelFrame title={t('personal.browsers')} lead={t('personal.browsersLead')}>
      {isPending && <SkeletonLines label={t('common.loading')} rows={2} rowHeight={52} />}
      {error !== null && <Notice tone="error">{failureText(t, error)}</Notice>}
      {data?.total === 0 && <p className={style.none}>{t('personal.noBrowsers')}</p>}
      {data !== undefined && data.total > 0 && (
        <ul className={rows.list}>
          {data.trustDeviceList.map((browser) => (
            <PanelRow
              key={browser.browserId}
              name={browser.agent || t('personal.unknownAgent')}
              mark={browser.isCurrent ? t('personal.thisBrowser') : null}
              detail={`${t('personal.trustedAt', { time: formatDateTime(browser.trustedAt, format, false) })} · ${t('personal.lastUsed', { time: formatDateTime(browser.lastUsedAt, format, false) })}`}
            >
              <Button onClick={() => void distrust(browser.browserId)}>{t('personal.distrust')}</Button>
            </PanelRow>
          ))}
        </ul>
      )}
    </PanelFrame>
  );
}
