// The bars over a tile: its name always, and on hover, focus or selection what is played and what can be done.
import picture from '../../../ui/picture-button.module.css';
import type { AudioState } from '@vedette/player/audio/audio-player.ts';
import type { TileState } from '@vedette/player/live/tile-state.ts';
import {
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconCamera,
  IconCircleDot,
  IconPlayerRecordFilled,
  IconVolume,
  IconVolumeOff,
  IconX,
} from '@tabler/icons-react';
import { formatClock } from '@vedette/rules/time-format.ts';
import type { MouseEvent, ReactNode } from 'react';
import { useT } from '../../../language/use-t.ts';
import { useTimeFormat } from '../../../language/use-time-format.ts';
import { useCaller } from '../../../services/services.ts';
import { Tip } from '../../../ui/buttons/tip.tsx';
import type { ChannelFacts } from '../channel/channel-facts.ts';
import { recordNow, useManualRecording } from '../channel/manual-recording.ts';
import style from './tile-bar.module.css';
import { codecName } from './tile-sentence.ts';
import { AudioMark, VolumeSlider } from './tile-audio.tsx';
import { saveSnapshot } from './tile-snapshots.ts';
import { remove, toggleAudible, toggleMaximised } from '../wall/wall-model.ts';
import { changeWall, useWall } from '../wall/wall-store.ts';

export interface TileBarProps {
  readonly cell: number;
  readonly name: string;
  /** Absent where the channel is not among the resources any more. */
  readonly facts: ChannelFacts | undefined;
  readonly state: TileState;
  readonly audioState: AudioState;
  readonly quality: number | null;
  /** Only the selected tile's buttons are stops of the Tab key. */
  readonly isSelected: boolean;
  /** Buttons of other features. */
  readonly extra?: ReactNode;
}

export function TileBar(props: TileBarProps) {
  const { cell, name, facts, state, audioState, quality, isSelected, extra } = props;
  const t = useT();
  const isAudible = useWall((wall) => wall.audible === cell);
  return (
    <>
      <div className={style.name}>
        <span className={style.mark} data-tone={markTone(state)} aria-hidden="true" />
        <span className={style.text}>{name}</span>
        {facts && facts.deviceName !== null && <span className={style.device}>{facts.deviceName}</span>}
        {isAudible && <AudioMark sound={audioState} />}
        {facts && <RecordMark facts={facts} />}
        {state.kind === 'live' && state.lighterBecause === 'slowLine' && <SlowLineMark />}
        <span className={style.details}>{details(t, state, quality).join(' · ')}</span>
      </div>
      <div className={style.actions} role="toolbar" aria-label={t('live.actions', { name })}>
        <TileAction isStop={isSelected} label={t('live.still')} shortcut="S" onClick={() => void saveSnapshot(cell)}>
          <IconCamera size={16} stroke={1.7} />
        </TileAction>
        {facts?.canRecord && <RecordAction facts={facts} isStop={isSelected} />}
        {extra}
        <AudioAction cell={cell} isAudible={isAudible} isStop={isSelected} />
        {isAudible && <VolumeSlider isStop={isSelected} />}
        <SizeAction cell={cell} isStop={isSelected} />
        <TileAction
          isStop={isSelected}
          label={t('live.remove')}
          shortcut="Del"
          onClick={() => changeWall((wall) => remove(wall, cell))}
        >
          <IconX size={16} stroke={1.7} />
        </TileAction>
      </div>
    </>
  );
}

interface CellActionProps {
  readonly cell: number;
  readonly isStop: boolean;
}

function AudioAction({ cell, isAudible, isStop }: CellActionProps & { readonly isAudible: boolean }) {
  const t = useT();
  return (
    <TileAction
      isStop={isStop}
      label={t(isAudible ? 'live.mute' : 'live.unmute')}
      shortcut="M"
      isPressed={isAudible}
      onClick={() => changeWall((wall) => toggleAudible(wall, cell))}
    >
      {isAudible ? <IconVolume size={16} stroke={1.7} /> : <IconVolumeOff size={16} stroke={1.7} />}
    </TileAction>
  );
}

function SizeAction({ cell, isStop }: CellActionProps) {
  const t = useT();
  const isMaximised = useWall((wall) => wall.maximised === cell);
  return (
    <TileAction
      isStop={isStop}
      label={t(isMaximised ? 'live.restore' : 'live.maximise')}
      shortcut={isMaximised ? 'Esc' : 'Enter'}
      onClick={() => changeWall((wall) => toggleMaximised(wall, cell))}
    >
      {isMaximised ? <IconArrowsMinimize size={16} stroke={1.7} /> : <IconArrowsMaximize size={16} stroke={1.7} />}
    </TileAction>
  );
}

interface RecordProps {
  readonly facts: ChannelFacts;
}

function RecordAction({ facts, isStop }: RecordProps & { readonly isStop: boolean }) {
  const t = useT();
  const caller = useCaller();
  const until = useManualRecording(facts);
  return (
    <TileAction
      isStop={isStop}
      label={t('live.record')}
      shortcut="R"
      isPressed={until !== null}
      isAlarming={until !== null}
      onClick={() => void recordNow(caller, facts)}
    >
      {until === null ? <IconCircleDot size={16} stroke={1.7} /> : <IconPlayerRecordFilled size={15} />}
    </TileAction>
  );
}

/** Stands by the name while somebody records by hand. */
function RecordMark({ facts }: RecordProps) {
  const t = useT();
  const until = useManualRecording(facts);
  const format = useTimeFormat();
  if (until === null) return null;
  const time = formatClock(until, format, false);
  return (
    <span className={style.record} title={t('live.recording', { time })}>
      {t('live.recordMark')}
    </span>
  );
}

/** Stands by the name while a smaller stream is shown than was asked for. */
function SlowLineMark() {
  const t = useT();
  return (
    <span className={style.slow} title={t('live.slowLineHint')}>
      {t('live.slowLine')}
    </span>
  );
}

interface TileActionProps {
  readonly label: string;
  readonly shortcut: string;
  readonly isPressed?: boolean;
  /** Drawn in the colour of recording. */
  readonly isAlarming?: boolean;
  readonly isStop: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function TileAction({ label, shortcut, isPressed, isAlarming, isStop, onClick, children }: TileActionProps) {
  const run = (event: MouseEvent): void => {
    event.stopPropagation();
    onClick();
  };
  return (
    <Tip label={label} shortcut={shortcut}>
      <button
        type="button"
        className={`${picture.button} ${style.action}`}
        aria-label={label}
        aria-pressed={isPressed}
        data-alarming={isAlarming || undefined}
        tabIndex={isStop ? 0 : -1}
        onClick={run}
      >
        {children}
      </button>
    </Tip>
  );
}

/** Idle with a channel: the native shell plays it. */
const WAITING: ReadonlySet<TileState['kind']> = new Set(['connecting', 'paused', 'idle']);

function markTone(state: TileState): string {
  if (state.kind === 'live') return 'live';
  return WAITING.has(state.kind) ? 'waiting' : 'trouble';
}

/** Quality, format and delay of a live tile, for the title bar. */
function details(t: ReturnType<typeof useT>, state: TileState, quality: number | null): string[] {
  if (state.kind !== 'live') return [];
  const parts: string[] = [];
  const named = quality === null ? undefined : t.find(`live.quality${quality}`);
  if (named !== undefined) parts.push(named);
  parts.push(`${state.width}×${state.height}`, codecName(state.codec));
  if (state.latencyMs !== null) parts.push(t('live.latency', { ms: state.latencyMs }));
  return parts;
}
