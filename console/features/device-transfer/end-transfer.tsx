// Asks before an offer of a device ends: withdrawn by its giver, or refused by whoever it was made to.
import type { DeviceTransfer } from '@vedette/contract/calls/onboarding.ts';
import { useT } from '../../language/use-t.ts';
import { ConfirmDialog } from '../confirm/confirm-dialog.tsx';
import { useTransferActions } from './device-transfer.query.ts';

export interface EndTransferProps {
  readonly transfer: DeviceTransfer;
  readonly onEnded?: () => void;
  readonly onClose: () => void;
}

export function EndTransfer({ transfer, onEnded, onClose }: EndTransferProps) {
  const t = useT();
  const actions = useTransferActions();
  const { deviceName: name, account, owner, isGiven } = transfer;
  return (
    <ConfirmDialog
      title={isGiven ? t('give.withdrawAsk', { name, account }) : t('give.refuseAsk', { name })}
      detail={isGiven ? t('give.withdrawDetail', { account }) : t('give.refuseDetail', { owner })}
      confirmLabel={t(isGiven ? 'give.withdraw' : 'give.refuse')}
      done={t(isGiven ? 'give.withdrawn' : 'give.refused', { name })}
      onConfirm={async () => {
        await actions.end(transfer);
        onEnded?.();
      }}
      onClose={onClose}
    />
  );
}
