// What tells alarms beside the devices: keys for other programs, and Frigate for who runs the installation.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import type { ReactNode } from 'react';
import { FrigatePart } from '../../features/alarm-source/frigate-form.tsx';
import { IngestKeys } from '../../features/alarm-source/ingest-keys.tsx';
import { useT } from '../../language/use-t.ts';
import { useAuth } from '../../session/auth-store.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import layout from '../../ui/layout/side-layout.module.css';
import style from './centre-view.module.css';

export function SourcesView({ views }: { readonly views: ReactNode }) {
  const t = useT();
  const userType = useAuth((auth) => auth.userType);
  return (
    <div className={layout.middle}>
      <PageHeader title={t('screen.alarms')} />
      {views}
      <div className={style.page}>
        <IngestKeys />
        {userType === USER_TYPE.super && <FrigatePart />}
      </div>
    </div>
  );
}
