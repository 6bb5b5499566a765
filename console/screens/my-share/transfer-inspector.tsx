// One device that changes hands in the inspector: what it is, whose, until when, and the word that is asked for.
import type { DeviceTransfer } from '@vedette/contract/calls/onboarding.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { deviceTypeText } from '../../features/device-inspector/device-words.ts';
import { useTransferActions } from '../../features/device-transfer/device-transfer.query.ts';
import { EndTransfer } from '../../features/device-transfer/end-transfer.tsx';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { type Fact, Facts, Section } from '../../ui/layout/facts.tsx';
import { Inspector } from '../../ui/overlays/inspector.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import style from './my-share-screen.module.css';

export interface TransferInspectorProps {
  readonly transfer: DeviceTransfer;
  readonly onClose: () => void;
}

export function TransferInspector({ transfer, onClose }: TransferInspectorProps) {
  const t = useT();
  const { deviceName, isGiven, owner, account } = transfer;
  return (
    <Inspector
      title={deviceName}
      closeLabel={t('common.close')}
      onClose={onClose}
      footer={<TransferActions transfer={transfer} onClose={onClose} />}
    >
      <p className={style.lead}>{isGiven ? t('give.leadGiven', { account }) : t('give.lead', { owner })}</p>
      <Section title={t('give.device')}>
        <Facts facts={useFacts(transfer)} />
      </Section>
    </Inspector>
  );
}

function useFacts(transfer: DeviceTransfer): Fact[] {
  const t = useT();
  const format = useTimeFormat();
  return [
    { name: t('serial.serial'), value: <code className="digits">{transfer.deviceSerial}</code> },
    { name: t('devices.type'), value: deviceTypeText(t, transfer.deviceType) },
    { name: t('devices.channels'), value: <span className={style.number}>{transfer.channelTotal}</span> },
    { name: t('give.from'), value: transfer.owner },
    { name: t('give.to'), value: transfer.account },
    { name: t('give.since'), value: formatDateTime(transfer.createTime, format, false) },
    { name: t('give.until'), value: formatDateTime(transfer.endTime, format, false) },
  ];
}

function TransferActions({ transfer, onClose }: TransferInspectorProps) {
  const t = useT();
  const actions = useTransferActions();
  const [isEnding, setEnding] = useState(false);
  const [state, setState] = useState({ isBusy: false, failure: null as unknown });
  const accept = async (): Promise<void> => {
    setState({ isBusy: true, failure: null });
    try {
      await actions.accept(transfer);
      showToast('success', t('give.accepted', { name: transfer.deviceName }));
      onClose();
    } catch (failure) {
      setState({ isBusy: false, failure });
    }
  };
  return (
    <>
      {state.failure !== null && <Notice tone="error">{failureText(t, state.failure)}</Notice>}
      {!transfer.isGiven && (
        <Button look="primary" isBusy={state.isBusy} onClick={() => void accept()}>
          {t('give.accept')}
        </Button>
      )}
      <Button disabled={state.isBusy} onClick={() => setEnding(true)}>
        {t(transfer.isGiven ? 'give.withdraw' : 'give.refuse')}
      </Button>
      {isEnding && <EndTransfer transfer={transfer} onEnded={onClose} onClose={() => setEnding(false)} />}
    </>
  );
}
