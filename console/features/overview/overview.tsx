// The overview: what needs somebody now, each part for whoever may act on it.
import { IconHome, IconHomeCheck } from '@tabler/icons-react';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useAuth } from '../../session/auth-store.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { usePermissionList } from '../account/use-permission-flags.ts';
import { useHomePage } from '../preferences/home-page.ts';
import { LatestSnapshots } from './latest-snapshots.tsx';
import { OfflineDevices } from './offline-devices.tsx';
import { OpenAlarms } from './open-alarms.tsx';
import style from './overview.module.css';
import { RecordingGaps } from './recording-gaps.tsx';
import { StorageDays } from './storage-days.tsx';

export function Overview() {
  const t = useT();
  const { homePage, choose } = useHomePage();
  const isFirst = homePage === 'overview';
  const Icon = isFirst ? IconHomeCheck : IconHome;
  return (
    <div className={style.page}>
      <PageHeader level={2} title={t('screen.overview')} fact={t('overview.lead')}>
        <Button
          look="quiet"
          icon={<Icon size={16} stroke={1.7} />}
          aria-pressed={isFirst}
          onClick={() => void choose(isFirst ? 'live' : 'overview')}
        >
          {t('overview.openFirst')}
        </Button>
      </PageHeader>
      <div className={style.scroll}>
        <Parts />
      </div>
    </div>
  );
}

function Parts() {
  const t = useT();
  const userType = useAuth((auth) => auth.userType);
  const { data, error, refetch } = usePermissionList();
  if (data === undefined)
    return error === null ? (
      <div className={style.waiting}>
        <SkeletonLines label={t('common.loading')} rows={8} rowHeight={44} />
      </div>
    ) : (
      <StateView
        role="alert"
        title={t('overview.failed')}
        detail={failureText(t, error)}
        action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}
      />
    );
  const { flags } = data;
  return (
    <div className={style.grid}>
      {flags.AlarmPush && <OpenAlarms />}
      <OfflineDevices />
      {flags.Replay && <RecordingGaps />}
      {userType === USER_TYPE.super && <StorageDays />}
      {flags.Realplay && <LatestSnapshots />}
    </div>
  );
}
