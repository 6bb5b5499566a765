// The guest links as a table.
import { IconLock, IconMovie, IconVideo } from '@tabler/icons-react';
import type { ShareLink } from '@vedette/contract/calls/share-link.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { type Column, DataTable } from '../../ui/layout/data-table.tsx';
import style from './my-share-screen.module.css';
import { StateMark, untilText } from './share-words.tsx';

export interface LinkTableProps {
  readonly links: readonly ShareLink[];
  readonly chosen: string;
  readonly onChoose: (link: ShareLink) => void;
}

const NO_SORT = { by: 'none', order: 'asc' } as const;

export function linkTitle({ linkName, channelName }: ShareLink): string {
  return linkName === '' ? channelName : linkName;
}

export function LinkTable({ links, chosen, onChoose }: LinkTableProps) {
  const t = useT();
  const format = useTimeFormat();
  const columns: readonly Column<ShareLink, 'none'>[] = [
    {
      id: 'what',
      title: t('share.column_what'),
      draw: (link) => (
        <span className={style.what}>
          {link.kind === 'live' ? (
            <IconVideo size={16} stroke={1.6} aria-hidden="true" />
          ) : (
            <IconMovie size={16} stroke={1.6} aria-hidden="true" />
          )}
          <span title={linkTitle(link)}>{linkTitle(link)}</span>
          {link.hasPassword && <IconLock size={14} stroke={1.8} aria-label={t('link.hasPassword')} />}
        </span>
      ),
    },
    { id: 'kind', title: t('link.kind'), width: '130px', isMinor: true, draw: ({ kind }) => t(`link.kind_${kind}`) },
    {
      id: 'until',
      title: t('share.column_until'),
      width: '160px',
      isLesser: true,
      draw: ({ endTime }) => <span className={style.number}>{untilText(t, endTime, format)}</span>,
    },
    {
      id: 'opened',
      title: t('share.column_opened'),
      width: '110px',
      draw: ({ openCount }) => <span className={style.number}>{t.plural('link.opened', openCount)}</span>,
    },
    { id: 'state', title: t('share.column_state'), width: '120px', draw: ({ state }) => <StateMark state={state} /> },
  ];
  return (
    <DataTable
      label={t('share.links')}
      columns={columns}
      rows={links}
      keyOf={({ linkId }) => linkId}
      nameOf={linkTitle}
      selectedKey={chosen}
      onSelect={onChoose}
      sort={NO_SORT}
      onSort={() => undefined}
    />
  );
}
