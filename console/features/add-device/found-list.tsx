// Devices that a search found: choose some of them; each row then tells what becomes of it.
import { IconAlertTriangle, IconCheck, IconLoader2 } from '@tabler/icons-react';
import type { FoundDevice } from '@vedette/contract/calls/onboarding.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import style from './found-list.module.css';
import type { RowState } from './use-batch-add.ts';

export interface FoundListProps {
  readonly devices: readonly FoundDevice[];
  /** Targets. */
  readonly chosen: ReadonlySet<string>;
  readonly onChosen: (chosen: ReadonlySet<string>) => void;
  readonly rows: ReadonlyMap<string, RowState>;
  readonly isBusy: boolean;
}

/** Those that can be chosen: not there already, not added just now. */
export function openDevices(
  devices: readonly FoundDevice[],
  rows: ReadonlyMap<string, RowState>,
): readonly FoundDevice[] {
  return devices.filter(({ target, deviceSerial }) => deviceSerial === null && rows.get(target)?.kind !== 'added');
}

export function FoundList({ devices, chosen, onChosen, rows, isBusy }: FoundListProps) {
  const t = useT();
  const open = openDevices(devices, rows);
  const toggle = (target: string, isOn: boolean): void => {
    const next = new Set(chosen);
    if (isOn) next.add(target);
    else next.delete(target);
    onChosen(next);
  };
  const total = open.filter(({ target }) => chosen.has(target)).length;
  return (
    <div className={style.root}>
      <div className={style.head}>
        <CheckBox
          label={t('find.all')}
          isOn={open.length > 0 && total === open.length}
          isPartly={total > 0 && total < open.length}
          disabled={open.length === 0 || isBusy}
          onToggle={(isOn) => onChosen(new Set(isOn ? open.map(({ target }) => target) : []))}
        />
        <span className={style.count}>{total > 0 && t.plural('find.chosen', total)}</span>
      </div>
      <ul className={style.list} aria-label={t('find.list')}>
        {newOnesFirst(devices).map((device) => (
          <FoundRow
            key={device.endpoint || device.target}
            device={device}
            state={rows.get(device.target)}
            isChosen={chosen.has(device.target)}
            isBusy={isBusy}
            onToggle={(isOn) => toggle(device.target, isOn)}
          />
        ))}
      </ul>
    </div>
  );
}

/** One that is added just now keeps its place. */
function newOnesFirst(devices: readonly FoundDevice[]): readonly FoundDevice[] {
  return devices.toSorted((one, other) => Number(one.deviceSerial !== null) - Number(other.deviceSerial !== null));
}

interface FoundRowProps {
  readonly device: FoundDevice;
  readonly state: RowState | undefined;
  readonly isChosen: boolean;
  readonly isBusy: boolean;
  readonly onToggle: (isOn: boolean) => void;
}

function FoundRow({ device, state, isChosen, isBusy, onToggle }: FoundRowProps) {
  const t = useT();
  const isThere = device.deviceSerial !== null || state?.kind === 'added';
  const name = device.deviceName || t('find.noName', { address: device.address });
  return (
    <li className={style.row} data-there={isThere || undefined}>
      <CheckBox
        label={name}
        detail={[device.address, device.deviceModel, device.driver.toUpperCase()].filter(Boolean).join(' · ')}
        isOn={isChosen && !isThere}
        disabled={isThere || isBusy}
        onToggle={onToggle}
      />
      <RowMark state={state} isThere={isThere} />
      {state?.kind === 'failed' && <p className={style.why}>{failureText(t, state.failure)}</p>}
    </li>
  );
}

function RowMark({ state, isThere }: { readonly state: RowState | undefined; readonly isThere: boolean }) {
  const t = useT();
  const kind = state?.kind;
  if (kind === 'failed')
    return (
      <span className={style.mark} data-tone="bad">
        <IconAlertTriangle size={14} stroke={1.9} aria-hidden="true" />
        {t('row.failed')}
      </span>
    );
  if (kind === 'adding')
    return (
      <span className={style.mark}>
        <IconLoader2 className={style.spin} size={14} stroke={1.9} aria-hidden="true" />
        {t('find.adding')}
      </span>
    );
  if (kind === 'waiting') return <span className={style.mark}>{t('find.waiting')}</span>;
  if (!isThere) return null;
  return (
    <span className={style.mark} data-tone={kind === 'added' ? 'good' : undefined}>
      <IconCheck size={14} stroke={1.9} aria-hidden="true" />
      {t(kind === 'added' ? 'find.added' : 'find.known')}
    </span>
  );
}
