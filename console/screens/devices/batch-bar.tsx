// What is done to several devices at once: move, restart, a new password, delete; the bar takes the place of the filters.
import type { Device } from '@vedette/contract/entities.ts';
import {
  IconCalendarTime,
  IconFolderSymlink,
  IconKey,
  IconRotateClockwise,
  IconShare,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { deviceTarget, openShare } from '../../features/share/share-target.ts';
import { AccountFields } from '../../features/add-device/account-fields.tsx';
import { PlanBatchDialog } from '../../features/record-plan/plan-batch-dialog.tsx';
import { useDeviceCapabilities } from '../../features/device-inspector/device-capacity.query.ts';
import { AssignGroup } from '../../features/group/assign-group.tsx';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SelectField, type SelectOption } from '../../ui/fields/select-field.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import style from './batch-bar.module.css';
import { useBatch } from './use-batch.ts';

export interface BatchBarProps {
  readonly devices: readonly Device[];
  /** How many of them are on other pages of the table. */
  readonly elsewhereCount: number;
  readonly organizations: readonly SelectOption[];
  /** Those that are chosen from now on: after an action, the ones that refused. */
  readonly onChosen: (devices: readonly Device[]) => void;
}

const ACTIONS = ['move', 'reboot', 'password', 'delete'] as const;
type Action = (typeof ACTIONS)[number];

const ICONS = { move: IconFolderSymlink, reboot: IconRotateClockwise, password: IconKey, delete: IconTrash } as const;

export function BatchBar(props: BatchBarProps) {
  const t = useT();
  const { devices, elsewhereCount, onChosen } = props;
  const [action, setAction] = useState<Action | null>(null);
  const [isPlanning, setPlanning] = useState(false);
  return (
    <section className={style.bar} aria-label={t('batch.label')}>
      <span className={style.count}>
        {t.plural('batch.chosen', devices.length)}
        {elsewhereCount > 0 && ` · ${t('batch.elsewhere', { count: elsewhereCount })}`}
      </span>
      {ACTIONS.map((one) => {
        const Icon = ICONS[one];
        return (
          <Button
            key={one}
            look="quiet"
            icon={<Icon size={15} stroke={1.8} aria-hidden="true" />}
            onClick={() => setAction(one)}
          >
            {t(`batch.${one}`)}
          </Button>
        );
      })}
      <Button
        look="quiet"
        disabled={!devices.every(({ permission }) => permission.includes('Reshare'))}
        icon={<IconShare size={15} stroke={1.8} aria-hidden="true" />}
        onClick={() => openShare(devices.map((device) => deviceTarget(device, [])))}
      >
        {t('share.open')}
      </Button>
      <Button
        look="quiet"
        disabled={!devices.every(({ permission }) => permission.includes('Config'))}
        icon={<IconCalendarTime size={15} stroke={1.8} aria-hidden="true" />}
        onClick={() => setPlanning(true)}
      >
        {t('recordPlan.batchOpen')}
      </Button>
      <AssignGroup serials={devices.map(({ deviceSerial }) => deviceSerial)} />
      <span className={style.space} />
      <IconButton label={t('batch.clear')} size="small" onClick={() => onChosen([])}>
        <IconX size={16} stroke={1.8} />
      </IconButton>
      {isPlanning && <PlanBatchDialog devices={devices} onClose={() => setPlanning(false)} />}
      {action !== null && <BatchDialog {...props} action={action} onClose={() => setAction(null)} />}
    </section>
  );
}

interface BatchDialogProps extends BatchBarProps {
  readonly action: Action;
  readonly onClose: () => void;
}

function BatchDialog({ action, devices, organizations, onChosen, onClose }: BatchDialogProps) {
  const t = useT();
  const caller = useCaller();
  const batch = useBatch();
  const [organizationId, setOrganization] = useState<string | null>(null);
  const [account, setAccount] = useState({ user: '', password: '' });
  const silent = { showError: false, showSuc: false };
  const acts: Record<Action, (device: Device) => Promise<unknown>> = {
    move: ({ deviceSerial }) =>
      caller.ask('device/move', { deviceSerial, organizationId: organizationId ?? '0' }, silent),
    reboot: ({ deviceSerial }) => caller.ask('device/reboot', { deviceSerial }, silent),
    password: ({ deviceSerial }) => caller.ask('device/update', { deviceSerial, ...account }, silent),
    delete: ({ deviceSerial }) => caller.ask('device/delete', { deviceSerial }, silent),
  };
  const capabilities = useDeviceCapabilities(
    action === 'reboot' ? devices.map(({ deviceSerial }) => deviceSerial) : [],
  );
  // Who cannot be asked is tried, and tells why it did not work.
  const unable = devices.filter((_, at) => capabilities[at]?.includes('reboot') === false);
  const able = devices.filter((device) => !unable.includes(device));
  const canRun = able.length > 0 && (action !== 'move' || organizationId !== null);
  async function run(): Promise<void> {
    const refused = await batch.run(able, acts[action]);
    if (refused.length < able.length) {
      showToast('success', t.plural('batch.done', able.length - refused.length));
    }
    onChosen(refused);
    if (refused.length === 0) onClose();
  }
  const bodies: Record<Action, ReactNode> = {
    move: (
      <SelectField
        label={t('add.organization')}
        value={organizationId}
        options={organizations}
        onValue={setOrganization}
      />
    ),
    reboot: (
      <div className={style.fields}>
        <p>{t('batch.rebootDetail')}</p>
        {unable.length > 0 && (
          <Notice tone="warning">
            {t('devices.cannotRestart', { names: unable.map(({ deviceName }) => deviceName).join(', ') })}
          </Notice>
        )}
      </div>
    ),
    password: (
      <div className={style.fields}>
        <AccountFields account={account} onAccount={setAccount} disabled={batch.isBusy} isSeveral />
        <p className={style.detail}>{t('batch.passwordDetail')}</p>
      </div>
    ),
    delete: <p>{t('devices.deleteDetail')}</p>,
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t.plural(`batch.${action}Title`, devices.length)}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            look={action === 'delete' ? 'danger' : 'primary'}
            isBusy={batch.isBusy}
            disabled={!canRun}
            onClick={() => void run()}
          >
            {batch.failed.length > 0 && !batch.isBusy ? t('common.retry') : t(`batch.${action}`)}
          </Button>
        </>
      }
    >
      {bodies[action]}
      {batch.failed.length > 0 && (
        <Notice tone="error">
          {batch.failed.map(({ device, failure }) => (
            <p key={device.keySerial}>
              {device.deviceName}: {failureText(t, failure)}
            </p>
          ))}
        </Notice>
      )}
    </Dialog>
  );
}
