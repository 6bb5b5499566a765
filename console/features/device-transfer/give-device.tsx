// Giving a device away: offered to an account that one can name, or to whoever gets its registration code.
import type { Device } from '@vedette/contract/entities.ts';
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import { IS_SHARED, USER_TYPE } from '@vedette/contract/enumerations.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { IconGift } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { isFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { useCaller } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { CopyButton } from '../../ui/buttons/copy-button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Facts } from '../../ui/layout/facts.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { EndTransfer } from './end-transfer.tsx';
import { useTransferActions, useTransfers } from './device-transfer.query.ts';
import style from './give-device.module.css';

const FORM = 'give-device';

export interface GiveButtonProps {
  readonly device: Device;
}

interface GiveDeviceProps extends GiveButtonProps {
  readonly onClose: () => void;
}

/** Accounts that own devices. */
const OWNING_TYPES: readonly number[] = [USER_TYPE.super, USER_TYPE.manage, USER_TYPE.ordinary];

/** While the device is offered: to whom and until when, with the way back. */
export function GiveButton({ device }: GiveButtonProps) {
  const t = useT();
  const format = useTimeFormat();
  const userType = useAuth((auth) => auth.userType);
  const [opened, setOpened] = useState<'give' | 'withdraw' | null>(null);
  const isOwn = device.isShared === IS_SHARED.none && OWNING_TYPES.includes(userType);
  const offer = useTransfers(isOwn).data?.find((one) => one.isGiven && one.deviceSerial === device.deviceSerial);
  if (!isOwn) return null;
  const close = (): void => setOpened(null);
  if (offer !== undefined) {
    const until = formatDateTime(offer.endTime, format, false);
    return (
      <div className={style.button}>
        <Notice tone="info" action={<Button onClick={() => setOpened('withdraw')}>{t('give.withdraw')}</Button>}>
          {t('give.offered', { account: offer.account, time: until })}
        </Notice>
        {opened === 'withdraw' && <EndTransfer transfer={offer} onClose={close} />}
      </div>
    );
  }
  return (
    <div className={style.button}>
      <Button look="quiet" icon={<IconGift size={16} stroke={1.7} />} onClick={() => setOpened('give')}>
        {t('give.open')}
      </Button>
      {opened === 'give' && <GiveDevice device={device} onClose={close} />}
    </div>
  );
}

type DeviceCode = CallOutput<'device/code'>;

function GiveDevice({ device, onClose }: GiveDeviceProps) {
  const t = useT();
  const caller = useCaller();
  const { offer } = useTransferActions();
  const { deviceSerial, deviceName } = device;
  const [account, setAccount] = useState('');
  const [code, setCode] = useState<DeviceCode | null>(null);
  const [state, setState] = useState<{ isBusy: boolean; failure: unknown }>({ isBusy: false, failure: null });
  const attempt = async (act: () => Promise<void>): Promise<void> => {
    setState({ isBusy: true, failure: null });
    try {
      await act();
      setState({ isBusy: false, failure: null });
    } catch (failure) {
      setState({ isBusy: false, failure });
    }
  };
  const give = (event: FormEvent): void => {
    event.preventDefault();
    if (account.trim() === '') return;
    void attempt(async () => {
      await offer(deviceSerial, account.trim());
      showToast('success', t('give.done', { name: deviceName, account: account.trim() }));
      onClose();
    });
  };
  const makeCode = (): void =>
    void attempt(async () => setCode(await caller.ask('device/code', { deviceSerial }, { showError: false })));
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('give.title', { name: deviceName })}
      closeLabel={t('common.close')}
      width={480}
      actions={
        <>
          <Button look="quiet" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" form={FORM} look="primary" isBusy={state.isBusy} disabled={account.trim() === ''}>
            {t('give.submit')}
          </Button>
        </>
      }
    >
      <div className={style.parts}>
        <form id={FORM} className={style.part} noValidate autoComplete="off" onSubmit={give}>
          <p>{t('give.detail')}</p>
          <TextField label={t('give.account')} value={account} onValue={setAccount} autoFocus spellCheck={false} />
        </form>
        <section className={style.part} aria-live="polite">
          <p>{t('give.codeDetail')}</p>
          {code === null ? (
            <Button onClick={makeCode} disabled={state.isBusy}>
              {t('give.makeCode')}
            </Button>
          ) : (
            <CodeFacts deviceSerial={deviceSerial} code={code} />
          )}
        </section>
        {state.failure !== null && (
          <Notice tone="error">
            {isFailure(state.failure, ERROR_CODES.notFound) ? t('give.nobody') : failureText(t, state.failure)}
          </Notice>
        )}
      </div>
    </Dialog>
  );
}

function CodeFacts({ deviceSerial, code }: { readonly deviceSerial: string; readonly code: DeviceCode }) {
  const t = useT();
  const format = useTimeFormat();
  const until = formatDateTime(code.codeUntil, format, false);
  return (
    <>
      <Facts
        facts={[
          { name: t('serial.serial'), value: <code className="digits">{deviceSerial}</code> },
          {
            name: t('serial.code'),
            value: (
              <span className={style.code}>
                <code className="digits">{code.registrationCode}</code>
                <CopyButton
                  text={code.registrationCode}
                  label={t('common.copy')}
                  doneLabel={t('common.copied')}
                  failedLabel={t('common.copyFailed')}
                />
              </span>
            ),
          },
        ]}
      />
      <Notice tone="info">{t('give.codeOnce', { time: until })}</Notice>
    </>
  );
}
