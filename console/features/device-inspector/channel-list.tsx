// The channels of a device: status, recording, name, opening.
import { IconPlayerRecordFilled, IconStack2, IconVideo } from '@tabler/icons-react';
import type { Channel, Device } from '@vedette/contract/entities.ts';
import { CHANNEL_TYPE } from '@vedette/contract/enumerations.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useChannelStatus, useStatus } from '../../realtime/status-store.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Section } from '../../ui/layout/facts.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { StatusDot } from '../../ui/feedback/status-dot.tsx';
import style from './channel-list.module.css';
import { useChannels, useDeviceActions } from './device.query.ts';
import { channelTypeText, deviceTone, statusText } from './device-words.ts';
import { InlineName } from './inline-name.tsx';
import { StreamList } from './stream-list.tsx';

export interface ChannelListProps {
  readonly device: Device;
  readonly canManage: boolean;
  readonly onWatch: (deviceSerial: string, channelNo: number, isPlayback: boolean) => void;
}

function ChannelRow({ channel, canManage, onWatch }: { readonly channel: Channel } & Omit<ChannelListProps, 'device'>) {
  const t = useT();
  const { deviceSerial, channelNo } = channel;
  const actions = useDeviceActions(deviceSerial);
  const status = useChannelStatus(deviceSerial, channelNo, channel.status);
  const isRecording =
    useStatus((state) => state.channels[`${deviceSerial}:${channelNo}`]?.isRecording) ?? channel.isRecording;
  const [isOpen, setOpen] = useState(false);
  return (
    <li className={style.item}>
      <div className={style.row}>
        <StatusDot tone={deviceTone(status)} />
        <span className="visually-hidden">{statusText(t, status)}</span>
        <div className={style.name}>
          <InlineName
            name={channel.channelName}
            editLabel={t('devices.renameChannel')}
            canEdit={canManage}
            onSave={(name) => actions.renameChannel(channelNo, name)}
          >
            <span className={style.text}>{channel.channelName}</span>
          </InlineName>
          {channel.channelType !== CHANNEL_TYPE.video && (
            <span className={style.kind}>{channelTypeText(t, channel.channelType)}</span>
          )}
        </div>
        <span className={style.recording} data-on={isRecording || undefined}>
          {isRecording && <IconPlayerRecordFilled size={9} aria-hidden="true" />}
          {t(isRecording ? 'devices.recording' : 'devices.notRecording')}
        </span>
        <IconButton
          label={t('streams.show', { name: channel.channelName })}
          size="small"
          tipSide="left"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <IconStack2 size={15} stroke={1.7} />
        </IconButton>
        <IconButton
          label={t('devices.watchLive')}
          size="small"
          tipSide="left"
          onClick={() => onWatch(deviceSerial, channelNo, false)}
        >
          <IconVideo size={15} stroke={1.7} />
        </IconButton>
      </div>
      {isOpen && <StreamList deviceSerial={deviceSerial} channelNo={channelNo} />}
    </li>
  );
}

export function ChannelList({ device, canManage, onWatch }: ChannelListProps) {
  const t = useT();
  const { data: channels, isPending, error, refetch } = useChannels(device.deviceSerial);
  return (
    <Section title={t('devices.channels')}>
      {isPending && (
        <SkeletonLines label={t('common.loading')} rows={Math.max(1, device.channelTotal)} rowHeight={36} />
      )}
      {error !== null && channels === undefined && (
        <StateView
          isSmall
          role="alert"
          title={failureText(t, error)}
          action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}
        />
      )}
      {channels !== undefined && (
        <ul className={style.list}>
          {channels.map((channel) => (
            <ChannelRow key={channel.channelNo} channel={channel} canManage={canManage} onWatch={onWatch} />
          ))}
        </ul>
      )}
    </Section>
  );
}
