// What a search found, and adding it: one device is looked at first, several are added with one account.
import { IconRadar2 } from '@tabler/icons-react';
import type { FoundDevice } from '@vedette/contract/calls/onboarding.ts';
import { type ReactNode, useMemo, useState } from 'react';
import { CallFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { StateView } from '../../ui/feedback/state-view.tsx';
import { UsageBar } from '../../ui/feedback/usage-bar.tsx';
import { AccountFields, type DeviceAccount } from './account-fields.tsx';
import style from './add-device.module.css';
import type { AddDeviceTabProps } from './add-device-tab-props.ts';
import { CheckedDevice } from './checked-device.tsx';
import { FoundList, openDevices } from './found-list.tsx';
import { useBatchAdd } from './use-batch-add.ts';
import { useOneDevice } from './use-one-device.ts';
import type { Scan } from './use-scan.ts';
import { WizardFooter } from './wizard-footer.tsx';

export interface FoundDevicesProps extends AddDeviceTabProps {
  /** What stands above the list; gives way to the device that is looked at. */
  readonly head: ReactNode;
  readonly scan: Scan;
  readonly onStart: () => void;
  readonly onStop: () => void;
  readonly words: { readonly start: string; readonly none: string; readonly noneDetail: string };
}

const NOBODY: ReadonlySet<string> = new Set();

export function FoundDevices(props: FoundDevicesProps) {
  const t = useT();
  const { scan, words } = props;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(NOBODY);
  const [account, setAccount] = useState<DeviceAccount>({ user: '', password: '' });
  const [organizationId, setOrganization] = useState(props.organizationId);
  const batch = useBatchAdd();
  const one = useOneDevice(props.onAdded);
  const picked = useMemo(
    () => openDevices(scan.found, batch.rows).filter(({ target }) => chosen.has(target)),
    [scan.found, batch.rows, chosen],
  );
  const [only] = picked;
  if (one.candidate !== null && only !== undefined) {
    return <CheckedDevice {...props} flow={one} target={{ target: only.target, ...account }} />;
  }
  const isSearching = scan.state === 'searching';
  const isBusy = batch.isBusy || one.isBusy;
  return (
    <>
      {props.head}
      <Progress {...props} />
      {scan.state === 'failed' && (
        <Notice tone="error" action={<Button onClick={props.onStart}>{t('common.retry')}</Button>}>
          {scanFailure(t, scan.failure)}
        </Notice>
      )}
      {scan.found.length > 0 && (
        <FoundList devices={scan.found} chosen={chosen} onChosen={setChosen} rows={batch.rows} isBusy={isBusy} />
      )}
      {scan.state === 'done' && scan.found.length === 0 && (
        <StateView icon={<IconRadar2 size={20} stroke={1.5} />} title={words.none} detail={words.noneDetail} isSmall />
      )}
      {picked.length > 0 && (
        <AccountFields
          account={account}
          onAccount={setAccount}
          isSeveral={picked.length > 1}
          disabled={isBusy}
          {...(picked.length > 1 && {
            organizations: props.organizations,
            organizationId,
            onOrganization: setOrganization,
          })}
        />
      )}
      {one.failure !== null && <Notice tone="error">{failureText(t, one.failure)}</Notice>}
      <Result rows={batch.rows} isBusy={batch.isBusy} />
      <WizardFooter>
        <MainButton
          picked={picked}
          isRetry={haveFailed(picked, batch.rows)}
          isBusy={isBusy}
          isSearching={isSearching}
          start={words.start}
          onStart={props.onStart}
          onLook={(device) => void one.probe({ target: device.target, ...account })}
          onAdd={() => void batch.add(picked, { ...account, organizationId })}
        />
        <SearchButton {...props} isSearching={isSearching} hasPicked={picked.length > 0} isBusy={batch.isBusy} />
      </WizardFooter>
    </>
  );
}

/** Each of them, and there are some. */
function haveFailed(picked: readonly FoundDevice[], rows: ReturnType<typeof useBatchAdd>['rows']): boolean {
  return picked.length > 0 && picked.every(({ target }) => rows.get(target)?.kind === 'failed');
}

function scanFailure(t: ReturnType<typeof useT>, failure: unknown): string {
  const data = failure instanceof CallFailure ? failure.data : null;
  const isRefused = typeof data === 'object' && data !== null && 'scope' in data && data.scope === 'notAllowed';
  return isRefused ? t('range.notAllowed') : `${t('find.failed')} ${failureText(t, failure)}`;
}

function Progress({ scan }: FoundDevicesProps) {
  const t = useT();
  if (scan.state === 'idle') return null;
  const isSearching = scan.state === 'searching';
  return (
    <div className={style.progress} role="status">
      <span>
        {isSearching ? t('find.searching') : scan.found.length > 0 && t.plural('find.total', scan.found.length)}
      </span>
      {isSearching && scan.found.length > 0 && <span>{t.plural('find.total', scan.found.length)}</span>}
      {scan.total > 0 && <span>{t('range.checked', { checked: scan.checked, total: scan.total })}</span>}
      {isSearching && scan.total > 0 && (
        <UsageBar label={t('find.searching')} share={scan.checked / scan.total} tone="normal" />
      )}
      {isSearching && scan.total === 0 && <span className={style.sweep} aria-hidden="true" />}
    </div>
  );
}

interface SearchButtonProps extends FoundDevicesProps {
  readonly isSearching: boolean;
  readonly hasPicked: boolean;
  readonly isBusy: boolean;
}

/** Ends the search, or begins it anew where the main button does something else. */
function SearchButton({ isSearching, hasPicked, isBusy, words, onStart, onStop }: SearchButtonProps) {
  const t = useT();
  if (isSearching)
    return (
      <Button look="quiet" onClick={onStop}>
        {t('find.stop')}
      </Button>
    );
  if (!hasPicked) return null;
  return (
    <Button look="quiet" disabled={isBusy} onClick={onStart}>
      {words.start}
    </Button>
  );
}

interface MainButtonProps {
  readonly picked: readonly FoundDevice[];
  readonly isRetry: boolean;
  readonly isBusy: boolean;
  readonly isSearching: boolean;
  readonly start: string;
  readonly onStart: () => void;
  readonly onLook: (device: FoundDevice) => void;
  readonly onAdd: () => void;
}

function MainButton(props: MainButtonProps) {
  const t = useT();
  const { picked, isBusy } = props;
  const [only] = picked;
  if (only === undefined)
    return (
      <Button look="primary" isBusy={props.isSearching} onClick={props.onStart}>
        {props.start}
      </Button>
    );
  if (picked.length === 1 && !props.isRetry)
    return (
      <Button look="primary" isBusy={isBusy} onClick={() => props.onLook(only)}>
        {t('find.look')}
      </Button>
    );
  return (
    <Button look="primary" isBusy={isBusy} onClick={props.onAdd}>
      {props.isRetry ? t('find.retry') : t.plural('find.addMany', picked.length)}
    </Button>
  );
}

function Result({ rows, isBusy }: Pick<ReturnType<typeof useBatchAdd>, 'rows' | 'isBusy'>) {
  const t = useT();
  if (rows.size === 0) return null;
  const states = [...rows.values()];
  const added = states.filter(({ kind }) => kind === 'added').length;
  const failed = states.filter(({ kind }) => kind === 'failed').length;
  const text = isBusy
    ? t('find.progress', { done: added + failed, total: rows.size })
    : t('find.result', { added, failed });
  return <Notice tone={failed > 0 && !isBusy ? 'warning' : 'info'}>{text}</Notice>;
}
