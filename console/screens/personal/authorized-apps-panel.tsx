// The apps that act for the account: with which rights, on what, until when; and revoking that.
import type { AppGrant } from '@vedette/contract/calls/oauth.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { ConfirmDialog } from '../../features/confirm/confirm-dialog.tsx';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { useCaller } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SkeletonLines } from '../../ui/feedback/state-view.tsx';
import rows from '../../ui/layout/list-rows.module.css';
import { useAppGrants, useFetchApps } from './app.query.ts';
import { PanelFrame, PanelRow } from './panel.tsx';
import style from './personal-screen.module.css';

export function AuthorizedAppsPanel() {
  const t = useT();
  const caller = useCaller();
  const fetchAgain = useFetchApps();
  const { data, isPending, error } = useAppGrants();
  const [chosen, setChosen] = useState<AppGrant | null>(null);
  return (
    <PanelFrame title={t('personal.authorized')} lead={t('personal.authorizedLead')}>
      {isPending && <SkeletonLines label={t('common.loading')} rows={2} rowHeight={52} />}
      {error !== null && <Notice tone="error">{failureText(t, error)}</Notice>}
      {data?.total === 0 && <p className={style.none}>{t('personal.noAuthorized')}</p>}
      {data !== undefined && data.total > 0 && (
        <ul className={rows.list}>
          {data.grantList.map((grant) => (
            <PanelRow key={grant.grantId} name={grant.appName} detail={<GrantDetail grant={grant} />}>
              <Button onClick={() => setChosen(grant)}>{t('personal.revoke')}</Button>
            </PanelRow>
          ))}
        </ul>
      )}
      {chosen !== null && (
        <ConfirmDialog
          title={t('personal.revokeTitle', { app: chosen.appName })}
          detail={t('personal.revokeDetail')}
          confirmLabel={t('personal.revoke')}
          done={t('personal.revoked', { app: chosen.appName })}
          onConfirm={async () => {
            await caller.ask('oauth/grant/revoke', { grantId: chosen.grantId }, { showError: false });
            await fetchAgain();
          }}
          onClose={() => setChosen(null)}
        />
      )}
    </PanelFrame>
  );
}

function GrantDetail({
  grant: { itemList, scopeList, createTime, lastUsedTime, endTime },
}: {
  readonly grant: AppGrant;
}) {
  const t = useT();
  const format = useTimeFormat();
  const when = (time: number) => formatDateTime(time, format, false);
  const times = [
    t('personal.grantedAt', { time: when(createTime) }),
    lastUsedTime === null ? t('personal.grantUnused') : t('personal.lastUsed', { time: when(lastUsedTime) }),
    ...(endTime === null ? [] : [t('personal.grantEnds', { time: when(endTime) })]),
  ];
  return (
    <>
      <div>{scopeList.map((scope) => t(`scope.${scope}`)).join(' · ')}</div>
      <div>{itemList.map(({ name }) => name).join(' · ')}</div>
      <div>{times.join(' · ')}</div>
    </>
  );
}
