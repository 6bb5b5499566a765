// The player of the inbox: goes to the time of the alarm that is open, again with the next one, and back from there.
import {
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconRewindBackward10,
  IconRewindForward10,
  IconVolume,
  IconVolumeOff,
} from '@tabler/icons-react';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import type { PlaybackGroup } from '@vedette/player/playback/playback-group.ts';
import { formatClock } from '@vedette/rules/time-format.ts';
import { useEffect, useState } from 'react';
import { type KeyBinding, useKeys } from '../../keys/key-registry.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { useServices } from '../../services/services.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { playbackChannelKey } from '../playback/playback-channel.ts';
import { PlaybackTileView } from '../playback/playback-tile-view.tsx';
import { type PlaybackGroupView, usePlaybackGroup, useTileView } from '../playback/use-playback-group.ts';
import { useAlarmSnapshot } from './alarm-snapshot.query.ts';
import style from './alarm-player.module.css';
import { alarmPlaceText } from './alarm-words.ts';

const SKIP_MS = 10_000;
/** Who runs through the list by its keys asks for what he stops at alone. */
const SETTLE_MS = 150;
/** What was recorded just now is on the disk a moment later. */
const AGAIN_MS = 3000;
const FRESH_MS = 60_000;
const ICON = { size: 18, stroke: 1.6 };
const nothing = (): void => undefined;
const unknown = (): null => null;

export function AlarmPlayer({ alarm }: { readonly alarm: Alarm }) {
  const t = useT();
  const format = useTimeFormat();
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const view = usePlaybackGroup();
  const [isHeard, setHeard] = useState(false);
  const key = playbackChannelKey(alarm);
  const toggle = (): void => (view.isPlaying ? view.group?.pause() : view.group?.play());
  useFollowAlarm(view, alarm);
  useSkipKeys(view.group);
  useEffect(() => view.group?.listen(isHeard ? key : null), [view.group, isHeard, key]);
  return (
    <section className={style.player} aria-label={t('alarms.player')} data-alarm-player={alarm.alarmId}>
      <div className={style.stage}>
        <PlaybackTileView
          key={key}
          view={view}
          channel={alarm}
          name={alarmPlaceText(t, alarm)}
          format={{ ...format, timeZone }}
          isOneOfMany={false}
          wish="second"
          isSelected
          isHeard={isHeard}
          gapReason={unknown}
          jump={view.jump}
          onSelect={nothing}
          onRemove={nothing}
          onHear={nothing}
          onToggle={toggle}
          onMaximise={nothing}
          onDropChannel={nothing}
        />
        <Poster view={view} alarm={alarm} />
      </div>
      <div className={style.bar} role="toolbar" aria-label={t('playback.controls')}>
        <IconButton label={t('playback.back10')} shortcut="←" onClick={() => skip(view.group, -SKIP_MS)}>
          <IconRewindBackward10 {...ICON} />
        </IconButton>
        <IconButton label={t(view.isPlaying ? 'playback.pause' : 'playback.play')} onClick={toggle}>
          {view.isPlaying ? <IconPlayerPauseFilled size={17} /> : <IconPlayerPlayFilled size={17} />}
        </IconButton>
        <IconButton label={t('playback.forward10')} shortcut="→" onClick={() => skip(view.group, SKIP_MS)}>
          <IconRewindForward10 {...ICON} />
        </IconButton>
        <button type="button" className={style.moment} onClick={() => view.group?.seek(alarm.time)}>
          {t('alarms.toMoment', { time: formatClock(alarm.time, { ...format, timeZone }) })}
        </button>
        <IconButton
          label={t(isHeard ? 'live.mute' : 'live.unmute')}
          isPressed={isHeard}
          onClick={() => setHeard(!isHeard)}
        >
          {isHeard ? <IconVolume {...ICON} /> : <IconVolumeOff {...ICON} />}
        </IconButton>
      </div>
    </section>
  );
}

/** The still of the alarm until its recording moves; that of the neighbours was fetched ahead. */
function Poster({ view, alarm }: { readonly view: PlaybackGroupView; readonly alarm: Alarm }) {
  const { state } = useTileView(view, playbackChannelKey(alarm));
  const picture = useAlarmSnapshot(alarm);
  const isWaiting = state.kind === 'idle' || state.kind === 'loading';
  return isWaiting && picture ? <img className={style.poster} src={picture.url} alt="" /> : null;
}

function skip(group: PlaybackGroup | null, ms: number): void {
  const at = group?.position ?? null;
  if (at !== null) group?.seek(at + ms);
}

function useSkipKeys(group: PlaybackGroup | null): void {
  const isFree = ({ target }: KeyboardEvent): boolean =>
    !(target instanceof Element) ||
    target.closest('input:not([type=checkbox]), [role=listbox], [role=radiogroup]') === null;
  const bindings: KeyBinding[] = [
    {
      keys: 'ArrowLeft',
      label: 'playback.back10',
      group: 'keys.groupAlarms',
      when: isFree,
      run: () => skip(group, -SKIP_MS),
    },
    {
      keys: 'ArrowRight',
      label: 'playback.forward10',
      group: 'keys.groupAlarms',
      when: isFree,
      run: () => skip(group, SKIP_MS),
    },
  ];
  useKeys(bindings);
}

function useFollowAlarm(view: PlaybackGroupView, alarm: Alarm): void {
  const { clock } = useServices();
  const { group } = view;
  const { alarmId, time } = alarm;
  const isEmpty = useTileView(view, playbackChannelKey(alarm)).state.kind === 'empty';
  useEffect(() => {
    if (group === null) return;
    const settled = window.setTimeout(() => {
      group.seek(time);
      group.play();
    }, SETTLE_MS);
    return () => window.clearTimeout(settled);
  }, [group, alarmId, time]);
  useEffect(() => {
    if (group === null || !isEmpty || clock.wallMs() - time > FRESH_MS) return;
    const again = window.setTimeout(() => {
      group.seek(time);
      group.play();
    }, AGAIN_MS);
    return () => window.clearTimeout(again);
  }, [group, isEmpty, time, clock]);
}
