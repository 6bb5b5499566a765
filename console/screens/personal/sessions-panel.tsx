// Where the account is signed in, the keys that sign it in by themselves, and ending that.
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useEndSession, useEndSignInKey, useSessions } from '../../features/account/account.query.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import rows from '../../ui/layout/list-rows.module.css';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SkeletonLines } from '../../ui/feedback/state-view.tsx';
import { PanelFrame, PanelRow } from './panel.tsx';

export function SessionsPanel() {
  const t = useT();
  const format = useTimeFormat();
  const { data, isPending, error } = useSessions();
  const end = useEndSession();
  const endKey = useEndSignInKey();
  const others = (data?.sessionList ?? []).filter((session) => !session.isCurrent);
  return (
    <PanelFrame title={t('personal.sessions')} lead={t('personal.sessionsLead')}>
      {isPending && <SkeletonLines label={t('common.loading')} rows={3} rowHeight={52} />}
      {error !== null && <Notice tone="error">{failureText(t, error)}</Notice>}
      {data !== undefined && (
        <ul className={rows.list}>
          {data.sessionList.map((session) => (
            <PanelRow
              key={session.sessionId}
              name={session.agent || t(session.clientType === 'client' ? 'personal.client' : 'personal.unknownAgent')}
              mark={session.isCurrent ? t('personal.thisBrowser') : null}
              detail={`${session.address} · ${t('personal.lastUsed', { time: formatDateTime(session.lastUsedAt, format, false) })}`}
            >
              {!session.isCurrent && (
                <Button onClick={() => void end([session.sessionId])}>{t('personal.endSession')}</Button>
              )}
            </PanelRow>
          ))}
          {data.signInKeyList.map((key) => (
            <PanelRow
              key={key.keyId}
              name={t('personal.signInKey', { agent: key.agent || t('personal.client') })}
              detail={`${key.address} · ${t('personal.lastUsed', { time: formatDateTime(key.lastUsedAt, format, false) })}`}
            >
              <Button onClick={() => void endKey(key.keyId)}>{t('personal.endKey')}</Button>
            </PanelRow>
          ))}
        </ul>
      )}
      {others.length > 1 && (
        <div>
          <Button onClick={() => void end(others.map((session) => session.sessionId))}>
            {t('personal.endOthers')}
          </Button>
        </div>
      )}
    </PanelFrame>
  );
}
