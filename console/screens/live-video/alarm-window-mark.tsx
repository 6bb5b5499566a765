// Over a tile that an alarm rule shows: why, for how long, and whether it stays.
import { IconBellRinging } from '@tabler/icons-react';
import { alarmTypeText } from '../../features/alarm/alarm-words.ts';
import { useReplayStart } from '../../features/instant-replay/replay-store.ts';
import type { ExtraTile } from '../../features/live/tile/tile-extras.ts';
import { useSecondTick } from '../../features/live/tile/use-second-tick.ts';
import { alarmWindowAt, endAlarmWindow, keepAlarmWindow, type WallState } from '../../features/live/wall/wall-model.ts';
import { changeWall, useWall } from '../../features/live/wall/wall-store.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import style from './alarm-window-mark.module.css';

export function AlarmWindowMark({ cell, channel, isStop }: ExtraTile) {
  const t = useT();
  const { clock } = useServices();
  const window = useWall((wall) => alarmWindowAt(wall, cell));
  // A replay has its own bar there.
  const isReplayed = useReplayStart(channel) !== null;
  useSecondTick(window !== null);
  if (window === null || isReplayed) return null;
  const seconds = Math.max(0, Math.ceil((window.until - clock.wallMs()) / 1000));
  const reason = t('live.alarmWindow', { type: alarmTypeText(t, window.type) });
  const button = (label: string, change: (wall: WallState, at: number) => WallState) => (
    <button
      type="button"
      className={style.button}
      tabIndex={isStop ? 0 : -1}
      onClick={(event) => {
        event.stopPropagation();
        changeWall((wall) => change(wall, cell));
      }}
    >
      {label}
    </button>
  );
  return (
    <div className={style.mark} role="group" aria-label={reason} data-alarm-window={window.type} data-on-picture>
      <IconBellRinging size={15} stroke={1.8} aria-hidden="true" />
      <span className={style.reason}>{reason}</span>
      <span className={style.left}>{t('live.alarmWindowLeft', { seconds })}</span>
      {button(t('live.alarmWindowKeep'), keepAlarmWindow)}
      {button(t('live.alarmWindowDismiss'), endAlarmWindow)}
    </div>
  );
}
