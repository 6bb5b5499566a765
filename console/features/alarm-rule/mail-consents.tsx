// Whether each address of an e-mail channel agreed, and asking it again where that is possible.
import type { AlarmChannel, MailConsent } from '@vedette/contract/calls/alarm-rule.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { useAskAddress } from './alarm-rule.query.ts';
import style from './mail-consents.module.css';

/** Whether anything may be sent by the channel. */
export function hasAgreed({ kind, addressList }: AlarmChannel): boolean {
  return kind !== 'email' || addressList.some(isAgreed);
}

function isAgreed({ state }: MailConsent): boolean {
  return state === 'own' || state === 'confirmed';
}

export interface MailConsentsProps {
  readonly channel: AlarmChannel;
  readonly hasMail: boolean;
  /** Also those that agreed. */
  readonly isWhole?: boolean;
}

export function MailConsents({ channel, hasMail, isWhole = false }: MailConsentsProps) {
  const t = useT();
  const shown = channel.addressList.filter((one) => isWhole || !isAgreed(one));
  if (shown.length === 0) return null;
  return (
    <ul className={style.list} aria-label={t('mailConsent.addresses')}>
      {shown.map((one) => (
        <Address key={one.address} channelId={channel.channelId} consent={one} hasMail={hasMail} />
      ))}
    </ul>
  );
}

interface AddressProps {
  readonly channelId: string;
  readonly consent: MailConsent;
  readonly hasMail: boolean;
}

function Address({ channelId, consent, hasMail }: AddressProps) {
  const t = useT();
  const format = useTimeFormat();
  const ask = useAskAddress();
  const { address, state, askedTime, askAgainTime } = consent;
  const time = askedTime === null ? '' : formatDateTime(askedTime, format, false);
  const label = t(state === 'unasked' ? 'mailConsent.ask' : 'mailConsent.askAgain');
  const isOpen = state === 'waiting' || state === 'ended' || state === 'unasked';
  const hint =
    isOpen && askAgainTime !== null
      ? t('mailConsent.askFrom', { time: formatDateTime(askAgainTime, format, false) })
      : isOpen && !hasMail
        ? t('alarmChannels.noMail')
        : '';
  const press = (): void =>
    ask.mutate({ channelId, address }, { onSuccess: () => showToast('success', t('mailConsent.asked', { address })) });
  return (
    <li className={style.row} data-consent={state} data-address={address}>
      <span className={style.words}>
        {t(`mailConsent_${state}`, { address, time })} {hint}
      </span>
      {isOpen && hint === '' && (
        <Button
          look="quiet"
          className={style.ask}
          isBusy={ask.isPending}
          aria-label={`${label} ${address}`}
          onClick={press}
        >
          {label}
        </Button>
      )}
    </li>
  );
}
