// The menu of a row of the device table, and what it asks before a device is deleted.
import type { Device } from '@vedette/contract/entities.ts';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { ConfirmDialog } from '../../features/confirm/confirm-dialog.tsx';
import { useDeviceActions } from '../../features/device-inspector/device.query.ts';
import { useT } from '../../language/use-t.ts';
import { channelAddress, PATHS } from '../../navigation/paths.ts';
import { useServices } from '../../services/services.ts';
import { ContextMenu } from '../../ui/overlays/context-menu.tsx';
import type { MenuEntry } from '../../ui/overlays/menu.tsx';
import { type MenuRequest, placeInside, useMenuRequest } from '../../ui/overlays/menu-request.ts';
import { useCameraEntries, useDeviceStreams } from './device-menu-camera.ts';

export interface DeviceMenuProps {
  readonly devices: readonly Device[];
  readonly onDetails: (deviceSerial: string) => void;
  readonly onDeleted: (deviceSerial: string) => void;
}

interface Asked {
  readonly device: Device;
  readonly at: MenuRequest['at'];
}

export function DeviceMenu({ devices, onDetails, onDeleted }: DeviceMenuProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [deleting, setDeleting] = useState<Device | null>(null);
  useMenuRequest(({ target, at }) => {
    const row = target.closest<HTMLElement>('tr[data-row]');
    const device = devices.find(({ keySerial }) => keySerial === row?.dataset['row']);
    if (row === null || device === undefined) return false;
    setAsked({ device, at: placeInside(row, at) });
    return true;
  });
  return (
    <>
      {asked !== null && (
        <RowMenu
          key={`${asked.device.keySerial} ${asked.at.x} ${asked.at.y}`}
          {...asked}
          onDetails={onDetails}
          onDelete={setDeleting}
          onClose={() => setAsked(null)}
        />
      )}
      {deleting !== null && (
        <DeleteDialog
          device={deleting}
          onDeleted={() => onDeleted(deleting.deviceSerial)}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  );
}

interface RowMenuProps extends Asked, Pick<DeviceMenuProps, 'onDetails'> {
  readonly onDelete: (device: Device) => void;
  readonly onClose: () => void;
}

function RowMenu({ device, at, onDetails, onDelete, onClose }: RowMenuProps) {
  const t = useT();
  const { clock } = useServices();
  const navigate = useNavigate();
  const camera = useCameraEntries(device);
  const streams = useDeviceStreams(device);
  const place = { deviceSerial: device.deviceSerial, channelNo: device.channelNo ?? 1 };
  const can = (right: Device['permission'][number]): boolean => device.permission.includes(right);
  const go = (address: string) => () => void navigate(address);
  const playBack = (): void => {
    const time = new URLSearchParams({ time: String(Math.round(clock.wallMs())) });
    void navigate(`${channelAddress(PATHS.container, place)}&${time}`);
  };
  const entries: MenuEntry[] = [
    { kind: 'title', label: device.deviceName },
    { kind: 'item', label: t('live.deviceDetails'), shortcut: 'Enter', onChoose: () => onDetails(device.deviceSerial) },
  ];
  if (can('Realplay'))
    entries.push({
      kind: 'item',
      label: t('devices.watchLive'),
      onChoose: go(channelAddress(PATHS.liveVideo, place)),
    });
  entries.push(...camera.picture);
  if (can('Replay')) entries.push({ kind: 'item', label: t('live.playBack'), onChoose: playBack });
  entries.push(...camera.controls, ...streams);
  if (can('Config'))
    entries.push(
      { kind: 'line' },
      { kind: 'item', label: t('config.open'), onChoose: go(channelAddress(PATHS.deviceConfig, place)) },
    );
  if (can('DeviceManage'))
    entries.push(
      { kind: 'line' },
      { kind: 'item', label: t('devices.deleteConfirm'), isDanger: true, onChoose: () => onDelete(device) },
    );
  return <ContextMenu label={device.deviceName} at={at} entries={entries} onClose={onClose} />;
}

interface DeleteDialogProps {
  readonly device: Device;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

function DeleteDialog({ device, onDeleted, onClose }: DeleteDialogProps) {
  const t = useT();
  const { remove } = useDeviceActions(device.deviceSerial);
  return (
    <ConfirmDialog
      title={t('devices.deleteTitle', { name: device.deviceName })}
      detail={t('devices.deleteDetail')}
      confirmLabel={t('devices.deleteConfirm')}
      keepLabel={t('devices.deleteKeep')}
      onConfirm={async () => {
        await remove();
        onDeleted();
      }}
      onClose={onClose}
    />
  );
}
