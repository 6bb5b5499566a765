// Restarting a device from its details; devices that cannot be told to have no such button.
import type { Device } from '@vedette/contract/entities.ts';
import { IconRotateClockwise } from '@tabler/icons-react';
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { ConfirmDialog } from '../confirm/confirm-dialog.tsx';
import { useDeviceCapabilities } from './device-capacity.query.ts';

export function RestartButton({ device }: { readonly device: Pick<Device, 'deviceSerial' | 'deviceName'> }) {
  const t = useT();
  const caller = useCaller();
  const [isAsked, setAsked] = useState(false);
  const { deviceSerial, deviceName: name } = device;
  const [capabilities] = useDeviceCapabilities([deviceSerial]);
  if (capabilities?.includes('reboot') !== true) return null;
  return (
    <>
      <IconButton label={t('devices.restart')} tipSide="top" onClick={() => setAsked(true)}>
        <IconRotateClockwise size={16} stroke={1.7} />
      </IconButton>
      {isAsked && (
        <ConfirmDialog
          title={t('devices.restartTitle', { name })}
          detail={t('devices.restartDetail')}
          confirmLabel={t('devices.restart')}
          onConfirm={async () => {
            await caller.ask('device/reboot', { deviceSerial }, { showError: false });
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
