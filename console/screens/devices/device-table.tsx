// The table of devices.
import type { DeviceMeasure } from '@vedette/contract/calls/device-measure.ts';
import type { Device } from '@vedette/contract/entities.ts';
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { useMemo } from 'react';
import {
  deviceTone,
  deviceTypeText,
  latestOnlineText,
  statusText,
} from '../../features/device-inspector/device-words.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { useNewestDevice } from '../../realtime/status-store.ts';
import { type Column, DataTable } from '../../ui/layout/data-table.tsx';
import { StatusDot } from '../../ui/feedback/status-dot.tsx';
import { MEASURED_COLUMNS, type OptionalColumn, useDeviceColumns } from './device-columns.ts';
import { useDeviceMeasures } from './device-measures.query.ts';
import { DeviceThumbnail } from './device-thumbnail.tsx';
import type { DeviceSort, DeviceListQuery } from './list-question.ts';

export interface DeviceTableProps {
  readonly devices: readonly Device[];
  readonly question: DeviceListQuery;
  readonly onChange: (part: Partial<DeviceListQuery>) => void;
  readonly isStale: boolean;
  /** Absent where the caller may change no device. */
  readonly ticks?: { readonly keys: ReadonlySet<string>; readonly onKeys: (keys: ReadonlySet<string>) => void };
}

function StatusCell({ device }: { readonly device: Device }) {
  const t = useT();
  const { status } = useNewestDevice(device);
  return <StatusDot tone={deviceTone(status)} label={statusText(t, status)} />;
}

function LatestOnlineCell({ device }: { readonly device: Device }) {
  const t = useT();
  return latestOnlineText(t, useNewestDevice(device), useTimeFormat());
}

function useMeasuredColumns(
  measures: ReadonlyMap<string, DeviceMeasure> | undefined,
): readonly Column<Device, DeviceSort>[] {
  const t = useT();
  const format = useTimeFormat();
  return useMemo(() => {
    const time = (at: number | null | undefined) =>
      at === null || at === undefined ? '–' : formatDateTime(at, format, false);
    return [
      {
        id: 'onlineSince',
        title: t('devices.onlineSince'),
        sort: 'statusSince',
        width: '150px',
        isMinor: true,
        draw: (device) => (
          <OnlineOnly device={device}>{time(measures?.get(device.deviceSerial)?.onlineSince)}</OnlineOnly>
        ),
      },
      {
        id: 'kbps',
        title: t('devices.kbps'),
        width: '100px',
        isMinor: true,
        draw: (device) => (
          <OnlineOnly device={device}>{rateText(t, measures?.get(device.deviceSerial)?.kbps)}</OnlineOnly>
        ),
      },
      {
        id: 'lastRecording',
        title: t('devices.lastRecording'),
        width: '150px',
        isMinor: true,
        draw: ({ deviceSerial }) => time(measures?.get(deviceSerial)?.lastRecordingAt),
      },
      {
        id: 'thumbnail',
        title: t('devices.thumbnail'),
        width: '96px',
        isMinor: true,
        draw: (device) => <DeviceThumbnail device={device} />,
      },
    ];
  }, [t, format, measures]);
}

/** A measure of a moment ago says nothing about a device that has gone meanwhile. */
function OnlineOnly({ device, children }: { readonly device: Device; readonly children: string }) {
  return useNewestDevice(device).status === DEVICE_STATUS.online ? children : '–';
}

function rateText(t: Translate, kbps: number | null | undefined): string {
  if (kbps === null || kbps === undefined) return '–';
  return kbps < 1000
    ? t('devices.kilobits', { value: Math.round(kbps) })
    : t('devices.megabits', { value: (kbps / 1000).toFixed(1) });
}

function useColumns(): readonly Column<Device, DeviceSort>[] {
  const t = useT();
  return useMemo(
    () => [
      { id: 'name', title: t('devices.name'), sort: 'deviceName', draw: (device) => device.deviceName },
      {
        id: 'status',
        title: t('devices.status'),
        sort: 'status',
        width: '108px',
        draw: (device) => <StatusCell device={device} />,
      },
      {
        id: 'address',
        title: t('devices.address'),
        width: '172px',
        isLesser: true,
        draw: ({ address }) => address || '–',
      },
      {
        id: 'model',
        title: t('devices.model'),
        sort: 'deviceModel',
        isMinor: true,
        draw: ({ deviceModel }) => deviceModel || '–',
      },
      {
        id: 'firmware',
        title: t('devices.firmware'),
        isMinor: true,
        draw: ({ deviceVersion }) => deviceVersion || '–',
      },
      {
        id: 'type',
        title: t('devices.type'),
        width: '96px',
        isMinor: true,
        draw: ({ deviceType }) => deviceTypeText(t, deviceType),
      },
      {
        id: 'organization',
        title: t('devices.organization'),
        isLesser: true,
        draw: (device) => device.organizationName || '–',
      },
      {
        id: 'serial',
        title: t('devices.serial'),
        sort: 'deviceSerial',
        width: '190px',
        isMinor: true,
        draw: (device) => device.deviceSerial,
      },
      {
        id: 'latestOnline',
        title: t('devices.latestOnline'),
        sort: 'latestOnline',
        width: '184px',
        isLesser: true,
        draw: (device) => <LatestOnlineCell device={device} />,
      },
    ],
    [t],
  );
}

export function DeviceTable({ devices, question, onChange, isStale, ticks }: DeviceTableProps) {
  const t = useT();
  const shown = useDeviceColumns((state) => state.shown);
  const isMeasured = MEASURED_COLUMNS.some((column) => shown.has(column));
  const measured = useMeasuredColumns(useDeviceMeasures(devices, isMeasured));
  const columns = [...useColumns(), ...measured].filter(({ id }) => id === 'name' || shown.has(id as OptionalColumn));
  const { sortBy, sortOrder } = question;
  return (
    <DataTable
      label={t('devices.table')}
      columns={columns}
      rows={devices}
      keyOf={(device) => device.keySerial}
      nameOf={(device) => device.deviceName}
      selectedKey={devices.find((device) => device.deviceSerial === question.device)?.keySerial ?? null}
      onSelect={(device) => onChange({ device: device.deviceSerial, isAdding: false })}
      sort={{ by: sortBy, order: sortOrder }}
      onSort={(by) => onChange({ sortBy: by, sortOrder: by === sortBy && sortOrder === 'asc' ? 'desc' : 'asc' })}
      isStale={isStale}
      {...(ticks !== undefined && {
        ticks: {
          ...ticks,
          allLabel: t('find.all'),
          labelOf: (device: Device) => t('batch.choose', { name: device.deviceName }),
        },
      })}
    />
  );
}
