// Devices that change hands as a table: offered by the account and to it.
import type { DeviceTransfer } from '@vedette/contract/calls/onboarding.ts';
import { IconDeviceCctv } from '@tabler/icons-react';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { type Column, DataTable } from '../../ui/layout/data-table.tsx';
import style from './my-share-screen.module.css';
import { untilText } from './share-words.tsx';

export interface TransferTableProps {
  readonly transfers: readonly DeviceTransfer[];
  readonly chosen: string;
  readonly onChoose: (transfer: DeviceTransfer) => void;
}

const NO_SORT = { by: 'none', order: 'asc' } as const;

export function TransferTable({ transfers, chosen, onChoose }: TransferTableProps) {
  const t = useT();
  const format = useTimeFormat();
  const columns: readonly Column<DeviceTransfer, 'none'>[] = [
    {
      id: 'what',
      title: t('give.device'),
      draw: ({ deviceName }) => (
        <span className={style.what}>
          <IconDeviceCctv size={16} stroke={1.6} aria-hidden="true" />
          <span title={deviceName}>{deviceName}</span>
        </span>
      ),
    },
    {
      id: 'direction',
      title: t('give.direction'),
      width: '140px',
      draw: ({ isGiven }) => t(isGiven ? 'give.isGiven' : 'give.isReceived'),
    },
    { id: 'from', title: t('give.from'), width: '18%', isMinor: true, draw: ({ owner }) => owner },
    { id: 'to', title: t('give.to'), width: '18%', isMinor: true, draw: ({ account }) => account },
    {
      id: 'until',
      title: t('give.until'),
      width: '160px',
      isLesser: true,
      draw: ({ endTime }) => <span className={style.number}>{untilText(t, endTime, format)}</span>,
    },
  ];
  return (
    <DataTable
      label={t('share.devices')}
      columns={columns}
      rows={transfers}
      keyOf={({ transferId }) => transferId}
      nameOf={({ deviceName, owner, account, isGiven }) => `${deviceName}, ${isGiven ? account : owner}`}
      selectedKey={chosen}
      onSelect={onChoose}
      sort={NO_SORT}
      onSort={() => undefined}
    />
  );
}
