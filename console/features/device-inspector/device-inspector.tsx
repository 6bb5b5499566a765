// The details of one device in the inspector: picture, facts, channels, rename, move, delete.
import { IconAdjustmentsHorizontal, IconHistory, IconTrash, IconVideo } from '@tabler/icons-react';
import type { Device } from '@vedette/contract/entities.ts';
import { IS_SHARED } from '@vedette/contract/enumerations.ts';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { failureText } from '../../calls/failure-text.ts';
import { ConfirmDialog } from '../confirm/confirm-dialog.tsx';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { channelAddress, PATHS } from '../../navigation/paths.ts';
import { useNewestDevice } from '../../realtime/status-store.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { type Fact, Facts, Section } from '../../ui/layout/facts.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Inspector } from '../../ui/overlays/inspector.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { type SelectOption, SelectField } from '../../ui/fields/select-field.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { StatusDot } from '../../ui/feedback/status-dot.tsx';
import { sharedText } from '../share/share-mark.ts';
import { ConnectionButton } from '../device-connection/connection-button.tsx';
import { RecordPlanSection } from '../record-plan/record-plan-section.tsx';
import { ChannelList } from './channel-list.tsx';
import { DeviceSnapshot } from './device-snapshot.tsx';
import { useChannels, useDevice, useDeviceActions } from './device.query.ts';
import style from './device-inspector.module.css';
import { deviceTone, deviceTypeText, latestOnlineText, statusReasonText, statusText } from './device-words.ts';
import { GiveButton } from '../device-transfer/give-device.tsx';
import { InlineName } from './inline-name.tsx';
import { RestartButton } from './restart-button.tsx';
import { ShareButtons } from './share-buttons.tsx';

export interface DeviceInspectorProps {
  readonly deviceSerial: string;
  readonly organizations: readonly SelectOption[];
  readonly onClose: () => void;
  readonly onWatch: (deviceSerial: string, channelNo: number, isPlayback: boolean) => void;
}

export function DeviceInspector(props: DeviceInspectorProps) {
  const t = useT();
  const { data: device, isPending, error, refetch } = useDevice(props.deviceSerial);
  const frame = { onClose: props.onClose, closeLabel: t('common.close') };
  if (device !== undefined) return <DeviceDetails key={device.deviceSerial} device={device} {...props} />;
  return (
    <Inspector title={t('devices.inspector')} {...frame}>
      {isPending ? (
        <SkeletonLines label={t('common.loading')} rows={8} rowHeight={28} />
      ) : (
        <StateView
          role="alert"
          title={failureText(t, error)}
          action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}
        />
      )}
    </Inspector>
  );
}

function useFacts(device: Device): Fact[] {
  const t = useT();
  const format = useTimeFormat();
  const facts: (Fact & { readonly isShown?: boolean })[] = [
    { name: t('devices.serial'), value: device.deviceSerial },
    {
      name: t('devices.reportedSerial'),
      value: device.reportedSerial ?? '',
      isShown: device.reportedSerial !== undefined,
    },
    { name: t('devices.type'), value: deviceTypeText(t, device.deviceType) },
    { name: t('devices.model'), value: device.deviceModel, isShown: device.deviceModel !== '' },
    { name: t('devices.firmware'), value: device.deviceVersion, isShown: device.deviceVersion !== '' },
    { name: t('devices.driver'), value: device.driver.toUpperCase() },
    { name: t('devices.address'), value: device.address, isShown: device.address !== '' },
    { name: t('devices.deviceUser'), value: device.deviceUserName, isShown: device.deviceUserName !== '' },
    { name: t('devices.latestOnline'), value: latestOnlineText(t, device, format) },
    {
      name: t('devices.shared'),
      value: sharedText(t, device, format),
      isShown: device.isShared !== IS_SHARED.none,
    },
  ];
  return facts.filter((fact) => fact.isShown !== false);
}

function DeviceDetails({
  device: fetched,
  organizations,
  onClose,
  onWatch,
}: DeviceInspectorProps & { readonly device: Device }) {
  const t = useT();
  const device = useNewestDevice(fetched);
  const facts = useFacts(device);
  const actions = useDeviceActions(device.deviceSerial);
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const channels = useChannels(device.deviceSerial).data ?? [];
  const canManage = device.permission.includes('DeviceManage');
  const reason = statusReasonText(t, device);
  const watch = (isPlayback: boolean): void => onWatch(device.deviceSerial, device.channelNo ?? 1, isPlayback);
  return (
    <Inspector
      title={device.deviceName}
      closeLabel={t('common.close')}
      onClose={onClose}
      footer={
        <>
          <Button icon={<IconVideo size={16} stroke={1.7} />} onClick={() => watch(false)}>
            {t('devices.watchLive')}
          </Button>
          <Button icon={<IconHistory size={16} stroke={1.7} />} onClick={() => watch(true)}>
            {t('devices.watchPlayback')}
          </Button>
          {device.permission.includes('Config') && (
            <Button
              icon={<IconAdjustmentsHorizontal size={16} stroke={1.7} />}
              onClick={() =>
                navigate(channelAddress(PATHS.deviceConfig, { ...device, channelNo: device.channelNo ?? 1 }))
              }
            >
              {t('config.open')}
            </Button>
          )}
          <ShareButtons device={device} />
          {canManage && <RestartButton device={device} />}
          {canManage && (
            <IconButton className={style.remove} label={t('common.delete')} onClick={() => setDeleting(true)}>
              <IconTrash size={16} stroke={1.7} />
            </IconButton>
          )}
        </>
      }
    >
      <DeviceSnapshot device={device} />
      <InlineName
        name={device.deviceName}
        editLabel={t('devices.renameDevice')}
        canEdit={canManage}
        onSave={(name) => actions.rename(device, name)}
      >
        <span className={style.name}>{device.deviceName}</span>
        <StatusDot tone={deviceTone(device.status)} label={statusText(t, device.status)} />
      </InlineName>
      {reason !== null && (
        <div className={style.reason}>
          <Notice tone="warning">
            <p>{reason}</p>
            {canManage && (
              <div className={style.buttons}>
                <ConnectionButton device={device} />
              </div>
            )}
          </Notice>
        </div>
      )}
      <Section title={t('devices.inspector')}>
        <Facts facts={facts} />
        {canManage && (
          <div className={style.move}>
            <SelectField
              label={t('devices.organization')}
              value={device.organizationId}
              options={organizations}
              isSearchable={organizations.length > 8}
              onValue={(id) => void actions.move(id)}
            />
            <div className={style.buttons}>
              {reason === null && <ConnectionButton device={device} isQuiet />}
              <GiveButton device={device} />
            </div>
          </div>
        )}
      </Section>
      <ChannelList device={device} canManage={canManage} onWatch={onWatch} />
      {device.permission.includes('Config') && (
        <RecordPlanSection deviceSerial={device.deviceSerial} channels={channels} />
      )}
      {isDeleting && (
        <ConfirmDialog
          title={t('devices.deleteTitle', { name: device.deviceName })}
          detail={t('devices.deleteDetail')}
          confirmLabel={t('devices.deleteConfirm')}
          keepLabel={t('devices.deleteKeep')}
          onConfirm={async () => {
            await actions.remove();
            onClose();
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </Inspector>
  );
}
