// A site of a recorder group: its state, how much it records, where its cameras are, and their return.
import type { RecorderMember } from '@vedette/contract/calls/recorder-group.ts';
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useState } from 'react';
import { failureText } from '../../../calls/failure-text.ts';
import { useRecorderGroupChanges } from '../../../features/site/recorder-group.query.ts';
import { siteNameOf } from '../../../features/site/site.query.ts';
import { useT } from '../../../language/use-t.ts';
import { useTimeFormat } from '../../../language/use-time-format.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { StatusDot, type StatusTone } from '../../../ui/feedback/status-dot.tsx';
import style from './groups-part.module.css';

const TONES: Record<RecorderMember['state'], StatusTone> = { ready: 'online', silent: 'offline', takenOver: 'warning' };

export function GroupMemberRow({ member }: { readonly member: RecorderMember }) {
  const t = useT();
  const { bringBack } = useRecorderGroupChanges();
  const [returning, setReturning] = useState<{ readonly isBusy: boolean; readonly failure: unknown }>({
    isBusy: false,
    failure: null,
  });
  const { siteId, siteName, state, isOnline, isSpare, awayList, cameraTotal, cameraMax, withoutRoom } = member;
  const name = siteNameOf(t, { siteName, isLocal: siteId === LOCAL_SITE });
  const bring = async (): Promise<void> => {
    setReturning({ isBusy: true, failure: null });
    try {
      await bringBack(siteId);
      setReturning({ isBusy: false, failure: null });
      showToast('success', t('groups.returned', { name }));
    } catch (failure) {
      setReturning({ isBusy: false, failure });
    }
  };
  return (
    <li className={style.member}>
      <div className={style.text}>
        <span className={style.site}>
          {name}
          {isSpare && <span className={style.spare}>{t('groups.spare')}</span>}
        </span>
        <span className={style.facts}>{t('groups.load', { now: cameraTotal, max: cameraMax })}</span>
        {useAway(member).map((line) => (
          <span key={line} className={style.away}>
            {line}
          </span>
        ))}
      </div>
      <div className={style.state}>
        <StatusDot tone={TONES[state]} label={t(`groups.state_${state}`)} />
        {isOnline && awayList.length > 0 && (
          <Button isBusy={returning.isBusy} onClick={() => void bring()}>
            {t('groups.return')}
          </Button>
        )}
      </div>
      {withoutRoom > 0 && (
        <div className={style.notice}>
          <Notice tone="error">{t.plural('groups.withoutRoom', withoutRoom)}</Notice>
        </div>
      )}
      {returning.failure !== null && (
        <div className={style.notice}>
          <Notice tone="error">{failureText(t, returning.failure)}</Notice>
        </div>
      )}
    </li>
  );
}

/** Who has its cameras, and since when. */
function useAway({ awayList, takenAt }: RecorderMember): string[] {
  const t = useT();
  const format = useTimeFormat();
  const since = takenAt === null ? [] : [t('groups.since', { time: formatDateTime(takenAt, format, false) })];
  const lines = awayList.map(({ siteId, siteName, cameraTotal }) =>
    t('groups.at', {
      cameras: t.plural('sites.cameras', cameraTotal),
      name: siteNameOf(t, { siteName, isLocal: siteId === LOCAL_SITE }),
    }),
  );
  return lines.length === 0 ? [] : [[...lines, ...since].join(' · ')];
}
