// One alarm in the inspector: what, where, when, what the device sent, comments, and the ways to its pictures.
import { IconCheck, IconChecks, IconChevronDown, IconChevronUp, IconHistory, IconVideo } from '@tabler/icons-react';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useState } from 'react';
import type { Translate } from '@vedette/phrases/translate.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { type Fact, Facts, Section } from '../../ui/layout/facts.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Inspector } from '../../ui/overlays/inspector.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { ShownImage } from '../../ui/feedback/shown-image.tsx';
import style from './alarm-details.module.css';
import { AlarmIcon } from './alarm-icon.tsx';
import { AlarmPlayer } from './alarm-player.tsx';
import { useAlarmSnapshot } from './alarm-snapshot.query.ts';
import { AssignAlarm } from './assign-alarm.tsx';
import { AlarmBurstActions } from './alarm-burst-actions.tsx';
import { type ObjectBox, recognisedObject } from '../recognised-object/recognised-object.ts';
import { alarmPlaceText, alarmTypeText, lastedText } from './alarm-words.ts';

export interface AlarmDetailsProps {
  readonly alarm: Alarm;
  /** How many stand behind its row. */
  readonly floodCount: number;
  readonly isAcknowledging: boolean;
  readonly onAcknowledge: () => void;
  readonly onAlarmClose: () => void;
  /** Empty: nobody's any more. Rejects where the account does not take it. */
  readonly onAssign: (account: string) => Promise<void>;
  readonly onComment: (text: string) => Promise<void>;
  readonly onPlayBack: () => void;
  readonly onWatch: () => void;
  readonly onDevice: () => void;
  readonly onStep: (step: 1 | -1) => void;
  readonly onClose: () => void;
}

function useFacts(alarm: Alarm): Fact[] {
  const t = useT();
  const format = useTimeFormat();
  const time = (at: number) => formatDateTime(at, format);
  const { endTime, endReason, deviceTime, repeatCount, acknowledgedAt } = alarm;
  const facts: (Fact & { readonly isShown?: boolean })[] = [
    { name: t('alarms.severity'), value: t(`severity_${alarm.severity}`) },
    { name: t('alarms.kind'), value: t(`alarmGroup_${alarm.group}`) },
    { name: t('alarms.device'), value: alarm.deviceName, isShown: alarm.deviceName !== '' },
    { name: t('alarms.channel'), value: `${alarm.channelNo} · ${alarm.channelName}`, isShown: alarm.channelNo > 0 },
    { name: t('alarms.organization'), value: alarm.organizationName, isShown: alarm.organizationName !== '' },
    { name: t('alarms.time'), value: time(alarm.time) },
    {
      name: t('alarms.ended'),
      value: endTime === null ? t('alarms.ongoing') : time(endTime),
      isShown: endTime !== alarm.time,
    },
    { name: t('alarms.lasted'), value: lastedText(t, alarm), isShown: endTime !== null && endTime !== alarm.time },
    {
      name: '',
      value: endReason === null ? '' : t(`alarms.endReason_${endReason}`),
      isShown: endReason !== null && endReason !== 'cleared',
    },
    { name: t('alarms.deviceTime'), value: deviceTime === null ? '' : time(deviceTime), isShown: deviceTime !== null },
    {
      name: t('alarms.reported'),
      value: t('alarms.repeats', { count: repeatCount + 1 }),
      isShown: repeatCount > 0,
    },
    {
      name: t('alarms.acknowledged'),
      value: t('alarms.acknowledgedBy', { userName: alarm.acknowledgedBy, time: time(acknowledgedAt ?? 0) }),
      isShown: acknowledgedAt !== null,
    },
    { name: t('alarms.assignedTo'), value: alarm.assignedTo, isShown: alarm.assignedTo !== '' },
    {
      name: t('alarms.closed'),
      value: t(alarm.closedBy === '' ? 'alarms.closedItself' : 'alarms.acknowledgedBy', {
        userName: alarm.closedBy,
        time: time(alarm.closedAt ?? 0),
      }),
      isShown: alarm.closedAt !== null,
    },
  ];
  return facts.filter((fact) => fact.isShown !== false);
}

/** What the server noticed itself, of a device or of a part of the installation. */
function noticedText(t: Translate, name: string, value: string): string {
  if (name === 'part') return t.find(`health.${value}`) ?? value;
  return t.find(`reason_${value}`) ?? t.find(`healthReason.${value}`) ?? value;
}

export function AlarmDetails(props: AlarmDetailsProps) {
  const t = useT();
  const { alarm, floodCount, onStep } = props;
  const facts = useFacts(alarm);
  const type = alarmTypeText(t, alarm.type);
  const seen = recognisedObject(t, alarm.data);
  const sent = [...Object.entries(alarm.source), ...Object.entries(alarm.data)].filter(
    ([name]) => seen?.names.has(name) !== true,
  );
  return (
    <Inspector
      isWide
      title={type}
      closeLabel={t('common.close')}
      onClose={props.onClose}
      footer={<Actions {...props} />}
    >
      <div className={style.head}>
        <AlarmIcon group={alarm.group} severity={alarm.severity} label={t(`severity_${alarm.severity}`)} />
        <span className={style.place}>{alarmPlaceText(t, alarm)}</span>
        <IconButton label={t('alarms.previous')} size="small" shortcut="K" onClick={() => onStep(-1)}>
          <IconChevronUp size={16} stroke={1.8} />
        </IconButton>
        <IconButton label={t('alarms.next')} size="small" shortcut="J" onClick={() => onStep(1)}>
          <IconChevronDown size={16} stroke={1.8} />
        </IconButton>
      </div>
      {alarm.channelNo > 0 && <AlarmPlayer alarm={alarm} />}
      {alarm.pictureTime !== null && <Picture alarm={alarm} box={seen?.box ?? null} />}
      {floodCount > 1 && <AlarmBurstActions alarm={alarm} count={floodCount} />}
      <Facts facts={facts} />
      {seen !== null && (
        <Section title={t('alarms.recognised')}>
          <Facts facts={seen.facts} />
        </Section>
      )}
      {alarm.topic === '' && sent.length > 0 && (
        <Section title={t('alarms.noticed')}>
          <Facts facts={sent.map(([name, value]) => ({ name, value: noticedText(t, name, value) }))} />
        </Section>
      )}
      {alarm.topic !== '' && (
        <Section title={t('alarms.origin')}>
          <code className={style.topic}>{alarm.topic}</code>
          <Facts facts={sent.map(([name, value]) => ({ name, value: <code className={style.item}>{value}</code> }))} />
        </Section>
      )}
      <Comments key={alarm.alarmId} {...props} />
    </Inspector>
  );
}

/** The place is kept while it is fetched: nothing below jumps. */
function Picture({ alarm, box }: { readonly alarm: Alarm; readonly box: ObjectBox | null }) {
  const t = useT();
  const format = useTimeFormat();
  const picture = useAlarmSnapshot(alarm);
  if (picture === null) return null;
  const time = picture === undefined ? '' : formatDateTime(picture.time, format);
  return (
    <figure className={style.picture} data-alarm-picture={picture?.isTaken}>
      <div className={style.frame} data-boxed={(picture !== undefined && box !== null) || undefined}>
        {picture !== undefined && <ShownImage src={picture.url} alt={t('alarms.picture')} />}
        {picture !== undefined && box !== null && (
          <span className={style.box} style={boxPlace(box)} role="img" aria-label={t('alarms.objectBox')} />
        )}
      </div>
      <figcaption>
        {picture !== undefined && t(picture.isTaken ? 'alarms.pictureTaken' : 'alarms.pictureRecorded', { time })}
      </figcaption>
    </figure>
  );
}

/** In percent of the frame, which has the shape of the picture. */
function boxPlace({ x, y, width, height }: ObjectBox) {
  return { left: `${x * 100}%`, top: `${y * 100}%`, width: `${width * 100}%`, height: `${height * 100}%` };
}

function Actions(props: AlarmDetailsProps) {
  const { alarm, isAcknowledging, onAcknowledge, onAlarmClose, onAssign, onPlayBack, onWatch, onDevice } = props;
  const t = useT();
  return (
    <div className={style.actions}>
      {alarm.channelNo > 0 ? (
        <>
          <Button look="primary" icon={<IconHistory size={16} stroke={1.8} />} onClick={onPlayBack}>
            {t('alarms.playBack')}
          </Button>
          <Button icon={<IconVideo size={16} stroke={1.8} />} onClick={onWatch}>
            {t('alarms.watchLive')}
          </Button>
        </>
      ) : (
        alarm.deviceSerial !== '' && <Button onClick={onDevice}>{t('alarms.openDevice')}</Button>
      )}
      {alarm.state === 'new' && (
        <Button icon={<IconCheck size={16} stroke={1.8} />} isBusy={isAcknowledging} onClick={onAcknowledge}>
          {t('alarms.acknowledge')}
        </Button>
      )}
      {alarm.state !== 'closed' && (
        <>
          <AssignAlarm assignedTo={alarm.assignedTo} onAssign={onAssign} />
          <Button icon={<IconChecks size={16} stroke={1.8} />} onClick={onAlarmClose}>
            {t('alarms.close')}
          </Button>
        </>
      )}
    </div>
  );
}

const COMMENT_MAX = 256;

function Comments({ alarm, onComment }: AlarmDetailsProps) {
  const t = useT();
  const format = useTimeFormat();
  const [text, setText] = useState('');
  const [isSending, setSending] = useState(false);
  const isBad = text.trim() === '' || /[<>]/.test(text);
  const send = (): void => {
    if (isBad || isSending) return;
    setSending(true);
    onComment(text)
      .then(() => setText(''))
      .catch((failure: unknown) => console.warn('comment not stored', failure))
      .finally(() => setSending(false));
  };
  return (
    <Section title={t('alarms.comments')}>
      {alarm.commentList.map((comment) => (
        <div key={`${comment.time} ${comment.text}`} className={style.comment}>
          <span>{comment.text}</span>
          <span className={style.said}>
            {t('alarms.acknowledgedBy', {
              userName: comment.userName || '–',
              time: formatDateTime(comment.time, format, false),
            })}
          </span>
        </div>
      ))}
      <form
        className={style.write}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <TextField
          aria-label={t('alarms.comment')}
          placeholder={t('alarms.comment')}
          value={text}
          onValue={setText}
          maxLength={COMMENT_MAX}
          autoComplete="off"
        />
        <Button type="submit" isBusy={isSending} disabled={isBad}>
          {t('alarms.addComment')}
        </Button>
      </form>
    </Section>
  );
}
