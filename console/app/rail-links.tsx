// The links of the rail: which screens the account may open, in the order it gave them, with what waits there.
import type { PlainKey } from '@vedette/phrases/pack.ts';
import { type KeyboardEvent, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useMenuOrder } from '../features/account/menu-order.query.ts';
import { isForUser } from '../features/account/row-viewer.ts';
import { useRowViewer } from '../features/account/use-row-viewer.ts';
import { usePermissionFlags } from '../features/account/use-permission-flags.ts';
import { useOfferedDeviceCount } from '../features/device-transfer/device-transfer.query.ts';
import { useOfferCount } from '../features/share/share.query.ts';
import { useT } from '../language/use-t.ts';
import { isCurrentScreen } from '../navigation/current-screen.ts';
import { PATHS } from '../navigation/paths.ts';
import { unhandledCount, useAlarmStore } from '../realtime/alarm-store.ts';
import { useAuth } from '../session/auth-store.ts';
import { Tip } from '../ui/buttons/tip.tsx';
import style from './rail.module.css';
import { groupsInOrder, orderAfterMove } from './rail-order.ts';
import { RAIL_ICONS } from '../navigation/rail-icons.ts';
import { leadsSomewhere, type RailGroup, SCREEN_ROWS, type ScreenRow } from './screen-rows.ts';

const GROUP_LABELS: Readonly<Record<RailGroup, PlainKey>> = {
  watch: 'shell.watch',
  manage: 'shell.manage',
  system: 'shell.system',
};

export function RailLinks({ isNarrow }: { readonly isNarrow: boolean }) {
  const t = useT();
  const viewer = useRowViewer();
  const flags = usePermissionFlags();
  const { order, keep } = useMenuOrder();
  const [told, setTold] = useState('');
  const groups = groupsInOrder(
    SCREEN_ROWS.filter((row) => isForUser(row, viewer) && leadsSomewhere(row, flags)),
    order,
  );
  /** Alt and an arrow, as for the cards of the home page. */
  const onKey = (event: KeyboardEvent, row: ScreenRow): void => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (!event.altKey || step === 0 || !viewer.isSignedIn) return;
    event.preventDefault();
    const next = orderAfterMove(groups, row, step);
    if (next === null) return;
    const rows = groups.find(({ group }) => group === row.group)?.rows ?? [];
    setTold(t('home.moved', { name: t(row.title), place: rows.indexOf(row) + 1 + step }));
    void keep(next);
  };
  return (
    <div className={style.groups}>
      {groups.map(({ group, rows }) => (
        <div key={group} className={style.group}>
          <div className={style.heading}>{t(GROUP_LABELS[group])}</div>
          {rows.map((row) => (
            <RailLink key={row.path} row={row} isNarrow={isNarrow} onKey={(event) => onKey(event, row)} />
          ))}
        </div>
      ))}
      <span className="visually-hidden" role="status">
        {told}
      </span>
    </div>
  );
}

interface RailLinkProps {
  readonly row: ScreenRow;
  readonly isNarrow: boolean;
  readonly onKey: (event: KeyboardEvent) => void;
}

function RailLink({ row, isNarrow, onKey }: RailLinkProps) {
  const t = useT();
  const Icon = RAIL_ICONS[row.icon];
  const isCurrent = isCurrentScreen(row.path, useLocation());
  return (
    <Tip label={t(row.title)} side="right" shortcut={`G ${row.key.toUpperCase()}`} isDisabled={!isNarrow}>
      <Link
        to={row.path}
        className={style.link ?? ''}
        aria-current={isCurrent ? 'page' : undefined}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        onKeyDown={onKey}
      >
        <Icon size={18} stroke={1.7} aria-hidden="true" />
        <span className={style.label}>{t(row.title)}</span>
        {row.path === PATHS.alarmMsg && <UnhandledBadge />}
        {row.path === PATHS.myShareContainer && <OfferBadge />}
      </Link>
    </Tip>
  );
}

const MOST_COUNTED = 99;

function UnhandledBadge() {
  const t = useT();
  const count = useAlarmStore(unhandledCount);
  return <Badge count={count} label={t.plural('alarms.unhandled', count)} look="urgent" />;
}

function OfferBadge() {
  const t = useT();
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  const count = useOfferCount(isSignedIn) + useOfferedDeviceCount(isSignedIn);
  return <Badge count={count} label={t.plural('share.waiting', count)} look="calm" />;
}

interface BadgeProps {
  readonly count: number;
  readonly label: string;
  readonly look: 'urgent' | 'calm';
}

function Badge({ count, label, look }: BadgeProps) {
  if (count === 0) return null;
  return (
    <span className={style.badge} data-look={look}>
      <span aria-hidden="true">{count > MOST_COUNTED ? `${MOST_COUNTED}+` : count}</span>
      <span className="visually-hidden">{label}</span>
    </span>
  );
}
