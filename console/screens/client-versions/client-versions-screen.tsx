// backgroundPage: the versions of the native clients, and which of them is offered to whom.
import type { VersionInfo } from '@vedette/contract/calls/client-version.ts';
import { PAGE_SIZE } from '@vedette/contract/limits.ts';
import { formatDate } from '@vedette/rules/time-format.ts';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { ListFoot } from '../../features/paging/list-pages.tsx';
import { sizeText } from '../../language/size-text.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { StatusDot } from '../../ui/feedback/status-dot.tsx';
import { type Column, DataTable } from '../../ui/layout/data-table.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import layout from '../../ui/layout/side-layout.module.css';
import style from './client-versions-screen.module.css';
import { VersionForm } from './version-form.tsx';
import { useVersions } from './version.query.ts';

type Open = { readonly versionInfo: VersionInfo | null } | null;

function useColumns(): readonly Column<VersionInfo, string>[] {
  const t = useT();
  const format = useTimeFormat();
  return [
    { id: 'number', title: t('clientVersions.number'), width: '120px', draw: (row) => row.externalVersion },
    { id: 'name', title: t('clientVersions.name'), draw: (row) => row.versionName },
    {
      id: 'platform',
      title: t('clientVersions.platform'),
      width: '120px',
      draw: (row) => t(`clientVersions.on.${row.platform}`),
    },
    {
      id: 'state',
      title: t('clientVersions.state'),
      width: '150px',
      draw: ({ isPublished, rolloutPercent }) => (
        <StatusDot
          tone={isPublished ? 'online' : 'unknown'}
          label={
            isPublished
              ? t('clientVersions.publishedTo', { percent: rolloutPercent })
              : t('clientVersions.notPublished')
          }
        />
      ),
    },
    {
      id: 'package',
      title: t('clientVersions.package'),
      width: '140px',
      isLesser: true,
      draw: ({ bytes, receivedBytes, redirectUrl }) => {
        if (bytes > 0) return sizeText(t, bytes);
        if (receivedBytes > 0) return t('clientVersions.received', { size: sizeText(t, receivedBytes) });
        return redirectUrl === '' ? '–' : t('clientVersions.link');
      },
    },
    {
      id: 'changed',
      title: t('clientVersions.changed'),
      width: '120px',
      isMinor: true,
      draw: ({ changeTime }) => formatDate(changeTime, format),
    },
  ];
}

export function ClientVersionsScreen() {
  const t = useT();
  const [pageStart, setPage] = useState(0);
  const [open, setOpen] = useState<Open>(null);
  const query = useVersions(pageStart);
  const total = query.data?.total ?? 0;
  const addButton = (
    <Button look="primary" icon={<IconPlus size={16} stroke={2} />} onClick={() => setOpen({ versionInfo: null })}>
      {t('clientVersions.add')}
    </Button>
  );
  const openId = open?.versionInfo?.versionId ?? null;
  return (
    <main className={layout.screen}>
      <div className={layout.middle}>
        <PageHeader title={t('screen.clientVersions')} fact={t('clientVersions.lead')}>
          {total > 0 && addButton}
        </PageHeader>
        <div className={style.work}>
          <Versions
            query={query}
            openId={openId}
            addButton={addButton}
            onOpen={(versionInfo) => setOpen({ versionInfo })}
          />
        </div>
        <ListFoot total={total} pageSize={PAGE_SIZE.clientVersions} pageStart={pageStart} onPage={setPage} />
      </div>
      {open !== null && (
        <VersionForm key={openId ?? 'new'} versionInfo={open.versionInfo} onClose={() => setOpen(null)} />
      )}
    </main>
  );
}

interface VersionsProps {
  readonly query: ReturnType<typeof useVersions>;
  readonly openId: string | null;
  readonly addButton: ReactNode;
  readonly onOpen: (versionInfo: VersionInfo) => void;
}

function Versions({ query, openId, addButton, onOpen }: VersionsProps) {
  const t = useT();
  const columns = useColumns();
  const { data, error, isPending, refetch } = query;
  if (isPending) return <SkeletonLines label={t('common.loading')} rows={8} rowHeight={32} />;
  if (data === undefined)
    return (
      <StateView
        role="alert"
        title={t('clientVersions.error')}
        detail={failureText(t, error)}
        action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}
      />
    );
  if (data.total === 0)
    return <StateView title={t('clientVersions.none')} detail={t('clientVersions.noneDetail')} action={addButton} />;
  return (
    <DataTable<VersionInfo, string>
      label={t('screen.clientVersions')}
      columns={columns}
      rows={data.versionList}
      keyOf={({ versionId }) => versionId}
      nameOf={({ versionName, externalVersion }) => `${versionName} ${externalVersion}`}
      selectedKey={openId}
      onSelect={onOpen}
      sort={{ by: 'number', order: 'desc' }}
      onSort={() => undefined}
    />
  );
}
