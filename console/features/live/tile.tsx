// One tile of the wall: picture, last still, state in words, and a bar that shows on hover, focus or selection.
import type { TileState } from '@vedette/player/tile-state.ts';
import { chooseStream, offeredStreams } from '@vedette/rules/stream-choice.ts';
import { IconPlus } from '@tabler/icons-react';
import { memo, useEffect, useRef } from 'react';
import { useT } from '../../language/use-t.ts';
import { useChannelFacts } from './channel-facts.ts';
import { tellTileKind } from './tile-kinds.ts';
import { registerStill } from './tile-stills.ts';
import { TileBar } from './tile-bar.tsx';
import { TileMessage } from './tile-message.tsx';
import { useChannelName } from './use-channel-name.ts';
import { useLiveTile } from './use-live-tile.ts';
import { useTilePointer } from './use-tile-pointer.ts';
import { select, useWall } from './wall-store.ts';
import { wallChannelKey, windowCount } from './wall-model.ts';
import style from './tile.module.css';

export interface TileProps {
  readonly cell: number;
  /** Place on the wall, from 0. */
  readonly position: number;
  /** Another tile fills the wall. */
  readonly isBehind: boolean;
}

export const Tile = memo(function Tile({ cell, position, isBehind }: TileProps) {
  const t = useT();
  const frame = useRef<HTMLLIElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const channel = useWall((wall) => wall.cells[cell] ?? null);
  const isSelected = useWall((wall) => wall.selected === cell);
  const isMaximised = useWall((wall) => wall.maximised === cell);
  const isAudible = useWall((wall) => wall.audible === cell);
  const windows = useWall(windowCount);
  const facts = useChannelFacts((state) => (channel ? state.byKey.get(wallChannelKey(channel)) : undefined));
  const quality = chooseStream(windows, offeredStreams(facts?.streamNum ?? 1));
  // Until the resources are here nobody knows how many streams the channel has.
  const isKnown = useChannelFacts((state) => state.isLoaded);
  const view = useLiveTile({ frame, video, canvas }, { channel: isKnown ? channel : null, quality, isAudible });
  const isOver = useTilePointer(frame, cell);
  const name = useChannelName(channel, facts?.name);
  useEffect(() => {
    tellTileKind(cell, view.state.kind);
    return () => tellTileKind(cell, null);
  }, [cell, view.state.kind]);
  useEffect(() => registerStill(cell, view.tile, name), [cell, view.tile, name]);
  const isFrozen = view.state.kind !== 'live' || view.state.transport === 'jpeg';
  return (
    <li
      ref={frame}
      className={style.tile}
      style={{ order: position }}
      draggable={channel !== null}
      data-cell={cell}
      data-state={channel ? view.state.kind : 'empty'}
      data-selected={isSelected || undefined}
      data-behind={isBehind || undefined}
      data-drop={isOver || undefined}
    >
      {/* biome-ignore lint/a11y/useMediaCaption: a live camera has no captions */}
      <video
        ref={video}
        className={style.video}
        muted
        playsInline
        disablePictureInPicture
        tabIndex={-1}
        aria-hidden="true"
      />
      <canvas
        ref={canvas}
        className={style.still}
        width={0}
        height={0}
        aria-hidden="true"
        data-shown={isFrozen || undefined}
        data-dim={(isFrozen && isDimmed(view.state)) || undefined}
      />
      <button
        type="button"
        className={style.handle}
        data-handle
        aria-label={tileLabel(t('live.window', { no: position + 1 }), name)}
        aria-pressed={isSelected}
        tabIndex={isSelected ? 0 : -1}
        onFocus={() => select(cell)}
        onClick={() => select(cell)}
      />
      {channel === null ? (
        <div className={style.free}>
          <IconPlus size={18} stroke={1.5} aria-hidden="true" />
          <span className="visually-hidden">{t('live.dragHere')}</span>
        </div>
      ) : (
        <>
          <TileMessage state={view.state} stillAt={view.stillAt} onRetry={() => view.tile.retry()} />
          <TileBar
            cell={cell}
            name={name}
            deviceName={facts?.deviceName ?? null}
            state={view.state}
            quality={view.quality}
            isAudible={isAudible}
            isMaximised={isMaximised}
            isSelected={isSelected}
          />
        </>
      )}
    </li>
  );
});

function tileLabel(window: string, name: string): string {
  return name === '' ? window : `${window}: ${name}`;
}

/** A picture that comes at once needs no curtain; an old one must look old. */
function isDimmed(state: TileState): boolean {
  return state.kind !== 'live' && state.kind !== 'connecting';
}
