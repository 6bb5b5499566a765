// While alarms are played back one after another: which one it is, and the ways to the next and the one before.
import { IconChevronLeft, IconChevronRight, IconX } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import { alarmPlaceText, alarmTypeText } from '../../features/alarm/alarm-words.ts';
import { ALARM_PARAMETER } from '../../features/alarm/played-alarms.ts';
import { useAlarmPlayback } from '../../features/alarm/use-alarm-playback.ts';
import { useKeys } from '../../keys/key-registry.ts';
import { useT } from '../../language/use-t.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import style from './alarm-playback-bar.module.css';

export function AlarmPlaybackBar() {
  const [address] = useSearchParams();
  const { alarms, index } = useAlarmPlayback();
  const isPlayed = alarms[index]?.alarmId === address.get(ALARM_PARAMETER);
  return isPlayed ? <Bar /> : null;
}

function Bar() {
  const t = useT();
  const [, setAddress] = useSearchParams();
  const { alarms, index, step, end } = useAlarmPlayback();
  const group = 'keys.groupAlarms';
  useKeys([
    { keys: 'Shift+N', label: 'alarms.next', group, run: () => step(1) },
    { keys: 'Shift+B', label: 'alarms.previous', group, run: () => step(-1) },
  ]);
  const alarm = alarms[index];
  if (alarm === undefined) return null;
  const leave = (): void => {
    end();
    setAddress(
      (before) => {
        before.delete(ALARM_PARAMETER);
        return before;
      },
      { replace: true },
    );
  };
  return (
    <section className={style.bar} aria-label={t('alarms.playBack')} data-alarm-playback={alarm.alarmId}>
      <IconButton
        label={t('alarms.previous')}
        size="small"
        shortcut="Shift B"
        disabled={index === 0}
        onClick={() => step(-1)}
      >
        <IconChevronLeft size={16} stroke={1.8} />
      </IconButton>
      <IconButton
        label={t('alarms.next')}
        size="small"
        shortcut="Shift N"
        disabled={index >= alarms.length - 1}
        onClick={() => step(1)}
      >
        <IconChevronRight size={16} stroke={1.8} />
      </IconButton>
      <span className={style.count}>{t('alarms.playbackBar', { index: index + 1, total: alarms.length })}</span>
      <strong className={style.type}>{alarmTypeText(t, alarm.type)}</strong>
      <span className={style.place}>{alarmPlaceText(t, alarm)}</span>
      <IconButton label={t('alarms.playbackEnd')} size="small" onClick={leave}>
        <IconX size={16} stroke={1.8} />
      </IconButton>
    </section>
  );
}
