// Channels: one row each, tried by a button, edited beside; below them the log of what rules did.
import { IconPencil, IconPlus, IconSend, IconSpeakerphone, IconTrash } from '@tabler/icons-react';
import type { AlarmChannel } from '@vedette/contract/calls/alarm-rule.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { type ReactNode, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useAlarmChannels, useRuleActions } from '../../features/alarm-rule/alarm-rule.query.ts';
import { ChannelForm } from '../../features/alarm-rule/channel-form.tsx';
import { channelName } from '../../features/alarm-rule/channel-name.ts';
import { hasAgreed, MailConsents } from '../../features/alarm-rule/mail-consents.tsx';
import { ConfirmDialog } from '../../features/confirm/confirm-dialog.tsx';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import rows from '../../ui/layout/list-rows.module.css';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import layout from '../../ui/layout/side-layout.module.css';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import style from './centre-view.module.css';
import { DeliveryLog } from './delivery-log.tsx';
import { type TestOutcome, TestResults } from './test-results.tsx';

export function ChannelsView({ views }: { readonly views: ReactNode }) {
  const t = useT();
  const query = useAlarmChannels();
  const { deleteChannel, testChannel } = useRuleActions();
  /** `new`, or the id of one. */
  const [edited, setEdited] = useState<string | null>(null);
  const [leaving, setLeaving] = useState<AlarmChannel | null>(null);
  const [tested, setTested] = useState<TestOutcome | null>(null);
  const { data } = query;
  const channel = data?.channelList.find(({ channelId }) => channelId === edited) ?? null;
  const test = ({ channelId, name }: AlarmChannel): void =>
    testChannel.mutate(channelId, {
      onSuccess: (result) => setTested({ name, results: [{ action: 'notify', channelName: name, ...result }] }),
    });
  return (
    <>
      <div className={layout.middle}>
        <PageHeader title={t('screen.alarms')}>
          <Button look="primary" icon={<IconPlus size={16} stroke={2} />} onClick={() => setEdited('new')}>
            {t('alarmChannels.add')}
          </Button>
        </PageHeader>
        {views}
        <div className={style.page}>
          <p className={style.lead}>{t('alarmChannels.lead')}</p>
          <List
            query={query}
            busyId={testChannel.isPending ? testChannel.variables : null}
            onAdd={() => setEdited('new')}
            onEdit={({ channelId }) => setEdited(channelId)}
            onTest={test}
            onDelete={setLeaving}
          />
          <h2 className={style.heading}>{t('alarmChannels.log')}</h2>
          <DeliveryLog />
        </div>
      </div>
      {data !== undefined && (channel !== null || edited === 'new') && (
        <ChannelForm
          // Not by its version: the list is fetched again before a form that was saved is closed.
          key={edited}
          channel={channel}
          hasMail={data.hasMail}
          vapidPublicKey={data.vapidPublicKey}
          onClose={() => setEdited(null)}
        />
      )}
      {leaving !== null && (
        <ConfirmDialog
          title={t('alarmChannels.deleteTitle')}
          detail={t('alarmChannels.deleteText', { name: leaving.name })}
          confirmLabel={t('alarmRules.remove')}
          onConfirm={async () => {
            await deleteChannel.mutateAsync(leaving.channelId);
            setEdited(null);
          }}
          onClose={() => setLeaving(null)}
        />
      )}
      <TestResults tested={tested} onClose={() => setTested(null)} />
    </>
  );
}

interface ListProps {
  readonly query: ReturnType<typeof useAlarmChannels>;
  readonly busyId: string | null;
  readonly onAdd: () => void;
  readonly onEdit: (channel: AlarmChannel) => void;
  readonly onTest: (channel: AlarmChannel) => void;
  readonly onDelete: (channel: AlarmChannel) => void;
}

function List({ query, onAdd, ...rest }: ListProps) {
  const t = useT();
  if (query.isPending) return <SkeletonLines label={t('common.loading')} rows={3} rowHeight={56} />;
  if (query.data === undefined)
    return (
      <StateView
        isSmall
        role="alert"
        title={t('alarmChannels.error')}
        detail={failureText(t, query.error)}
        action={<Button onClick={() => void query.refetch()}>{t('common.retry')}</Button>}
      />
    );
  if (query.data.channelList.length === 0)
    return (
      <StateView
        isSmall
        icon={<IconSpeakerphone size={20} stroke={1.5} />}
        title={t('alarmChannels.empty')}
        detail={t('alarmChannels.emptyDetail')}
        action={<Button onClick={onAdd}>{t('alarmChannels.add')}</Button>}
      />
    );
  return (
    <ul className={`${rows.list} ${style.list}`} aria-label={t('alarmChannels.list')}>
      {query.data.channelList.map((channel) => (
        <ChannelRow key={channel.channelId} channel={channel} hasMail={query.data.hasMail} {...rest} />
      ))}
    </ul>
  );
}

type RowProps = Omit<ListProps, 'query' | 'onAdd'> & { readonly channel: AlarmChannel; readonly hasMail: boolean };

function ChannelRow({ channel, hasMail, busyId, onEdit, onTest, onDelete }: RowProps) {
  const t = useT();
  const format = useTimeFormat();
  const { channelId, name, kind, isEnabled, settings, lastTime, lastReason } = channel;
  const target = settings['to'] ?? settings['url'] ?? '';
  const isTestable = hasAgreed(channel);
  const last =
    lastTime === null
      ? t('alarmChannels.never')
      : t('alarmChannels.last', { time: formatDateTime(lastTime, format, false) });
  return (
    <li className={rows.row} data-channel={name} data-off={isEnabled ? undefined : true}>
      <div className={`${rows.words} ${style.words}`}>
        <strong className={rows.name}>{name}</strong>
        <span className={style.detail}>{[channelName(t, kind), target].filter((text) => text !== '').join(' · ')}</span>
      </div>
      {!isEnabled && <span className={style.state}>{t('alarmRules.off')}</span>}
      {lastReason !== null && (
        <span className={style.state} data-state="failed">
          {t(`deliveryReason_${lastReason}`)}
        </span>
      )}
      <span className={style.last}>{last}</span>
      <span className={style.tools}>
        <IconButton
          label={t(isTestable ? 'alarmRules.testOf' : 'mailConsent.testOff', { name })}
          disabled={busyId === channelId}
          // Not disabled: its label says why, to whoever points at it too.
          aria-disabled={!isTestable || undefined}
          onClick={() => isTestable && onTest(channel)}
        >
          <IconSend size={17} stroke={1.7} />
        </IconButton>
        <IconButton label={t('alarmRules.editOf', { name })} onClick={() => onEdit(channel)}>
          <IconPencil size={17} stroke={1.7} />
        </IconButton>
        <IconButton label={t('alarmRules.deleteOf', { name })} onClick={() => onDelete(channel)}>
          <IconTrash size={17} stroke={1.7} />
        </IconButton>
      </span>
      <MailConsents channel={channel} hasMail={hasMail} />
    </li>
  );
}
