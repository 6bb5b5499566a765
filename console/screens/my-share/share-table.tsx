// The shares of one direction as a table.
import { RightIcons } from '../../features/share/rights-choice.tsx';
import { rightsOf } from '../../features/share/share-rights.ts';
import type { SharedItems } from '../../features/share/share.query.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { type Column, DataTable } from '../../ui/layout/data-table.tsx';
import style from './my-share-screen.module.css';
import { ItemIcon, StateMark, shareName, untilText } from './share-words.tsx';

export interface ShareTableProps {
  readonly shares: readonly SharedItems[];
  readonly isGiven: boolean;
  readonly chosen: string;
  readonly onChoose: (share: SharedItems) => void;
}

const NO_SORT = { by: 'none', order: 'asc' } as const;

export function ShareTable({ shares, isGiven, chosen, onChoose }: ShareTableProps) {
  const t = useT();
  const format = useTimeFormat();
  const columns: readonly Column<SharedItems, 'none'>[] = [
    {
      id: 'what',
      title: t('share.column_what'),
      draw: (share) => (
        <span className={style.what}>
          <ItemIcon isShared={share.first.isShared} />
          <span title={shareName(t, share)}>{shareName(t, share)}</span>
        </span>
      ),
    },
    {
      id: 'side',
      title: t(isGiven ? 'share.column_with' : 'share.column_by'),
      width: '18%',
      draw: ({ first }) => (isGiven ? first.account : first.owner),
    },
    {
      id: 'rights',
      title: t('share.column_rights'),
      width: '170px',
      isMinor: true,
      draw: ({ first }) => <RightIcons rights={rightsOf(first.permission)} />,
    },
    {
      id: 'until',
      title: t('share.column_until'),
      width: '160px',
      isLesser: true,
      draw: ({ first }) => (
        <span className={style.number}>
          {first.endTime === null ? (
            <span className={style.dim}>{t('share.noEnd')}</span>
          ) : (
            untilText(t, first.endTime, format)
          )}
        </span>
      ),
    },
    {
      id: 'state',
      title: t('share.column_state'),
      width: '120px',
      draw: ({ first }) => <StateMark state={first.state} />,
    },
  ];
  return (
    <DataTable
      label={t(isGiven ? 'share.given' : 'share.received')}
      columns={columns}
      rows={shares}
      keyOf={({ shareId }) => shareId}
      nameOf={(share) => `${shareName(t, share)}, ${isGiven ? share.first.account : share.first.owner}`}
      selectedKey={chosen}
      onSelect={onChoose}
      sort={NO_SORT}
      onSort={() => undefined}
    />
  );
}
