// The bars over a tile: its name always, and on hover, focus or selection what is played and what can be done.
import type { TileState } from '@vedette/player/tile-state.ts';
import {
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconCamera,
  IconVolume,
  IconVolumeOff,
  IconX,
} from '@tabler/icons-react';
import type { MouseEvent, ReactNode } from 'react';
import { useT } from '../../language/use-t.ts';
import { Tip } from '../../ui/tip.tsx';
import style from './tile-bar.module.css';
import { codecName } from './tile-sentence.ts';
import { saveStill } from './tile-stills.ts';
import { remove, toggleAudible, toggleMaximised } from './wall-model.ts';
import { changeWall } from './wall-store.ts';

export interface TileBarProps {
  readonly cell: number;
  readonly name: string;
  readonly deviceName: string | null;
  readonly state: TileState;
  readonly quality: number | null;
  readonly isAudible: boolean;
  readonly isMaximised: boolean;
  /** Only the selected tile's buttons are stops of the Tab key. */
  readonly isSelected: boolean;
}

export function TileBar(props: TileBarProps) {
  const { cell, name, deviceName, state, quality, isAudible, isMaximised, isSelected } = props;
  const t = useT();
  return (
    <>
      <div className={style.name}>
        <span className={style.mark} data-tone={markTone(state)} aria-hidden="true" />
        <span className={style.text}>{name}</span>
        {deviceName !== null && <span className={style.device}>{deviceName}</span>}
        <span className={style.details}>{details(t, state, quality).join(' · ')}</span>
      </div>
      <div className={style.actions} role="toolbar" aria-label={t('live.actions', { name })}>
        <TileAction isStop={isSelected} label={t('live.still')} shortcut="S" onClick={() => void saveStill(cell)}>
          <IconCamera size={16} stroke={1.7} />
        </TileAction>
        <TileAction
          isStop={isSelected}
          label={t(isAudible ? 'live.mute' : 'live.unmute')}
          shortcut="M"
          isPressed={isAudible}
          onClick={() => changeWall((wall) => toggleAudible(wall, cell))}
        >
          {isAudible ? <IconVolume size={16} stroke={1.7} /> : <IconVolumeOff size={16} stroke={1.7} />}
        </TileAction>
        <TileAction
          isStop={isSelected}
          label={t(isMaximised ? 'live.restore' : 'live.maximise')}
          shortcut={isMaximised ? 'Esc' : 'Enter'}
          onClick={() => changeWall((wall) => toggleMaximised(wall, cell))}
        >
          {isMaximised ? <IconArrowsMinimize size={16} stroke={1.7} /> : <IconArrowsMaximize size={16} stroke={1.7} />}
        </TileAction>
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

interface TileActionProps {
  readonly label: string;
  readonly shortcut: string;
  readonly isPressed?: boolean;
  readonly isStop: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function TileAction({ label, shortcut, isPressed, isStop, onClick, children }: TileActionProps) {
  const run = (event: MouseEvent): void => {
    event.stopPropagation();
    onClick();
  };
  return (
    <Tip label={label} shortcut={shortcut}>
      <button
        type="button"
        className={style.action}
        aria-label={label}
        aria-pressed={isPressed}
        tabIndex={isStop ? 0 : -1}
        onClick={run}
      >
        {children}
      </button>
    </Tip>
  );
}

function markTone(state: TileState): string {
  if (state.kind === 'live') return 'live';
  return state.kind === 'connecting' || state.kind === 'paused' ? 'waiting' : 'trouble';
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
