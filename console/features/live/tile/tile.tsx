// One tile of the wall: video, last frame, state in words, and a bar that shows on hover, focus or selection.
import type { TileState } from '@vedette/player/live/tile-state.ts';
import { IconPlus } from '@tabler/icons-react';
import { type CSSProperties, memo, type RefObject, use, useEffect, useRef } from 'react';
import { useT } from '../../../language/use-t.ts';
import { type ChannelFacts, useChannelFacts } from '../channel/channel-facts.ts';
import { useTileStream } from '../channel/stream-choice.ts';
import { openConnection } from '../../device-connection/connection-target.ts';
import { TileBar } from './tile-bar.tsx';
import { TileBoxes } from './tile-boxes.tsx';
import { TileExtrasContext } from './tile-extras.ts';
import { TileInfo } from './tile-info.tsx';
import { type NativeTile, useNativeOverlay, useNativePlay } from './native-tiles.ts';
import { publishTileKind } from './tile-kinds.ts';
import { TileMessage } from './tile-message.tsx';
import { registerSnapshot } from './tile-snapshots.ts';
import { useDigitalZoom } from '../zoom/use-digital-zoom.ts';
import { useKnownFacts } from '../channel/use-known-facts.ts';
import { type LiveTileView, useLiveTile } from './use-live-tile.ts';
import { useTileEngaged } from './use-tile-engaged.ts';
import { useTilePointer } from './use-tile-pointer.ts';
import type { GridPlace } from '../wall/wall-grid.ts';
import { type WallChannel, wallChannelKey, windowCount } from '../wall/wall-model.ts';
import { select, useWall } from '../wall/wall-store.ts';
import { ZoomMap } from '../zoom/zoom-map.tsx';
import { isZoomed, type ZoomView, zoomTransform } from '../zoom/zoom-view.ts';
import style from './tile.module.css';

export interface TileProps {
  readonly cell: number;
  /** Place on the wall, from 0; null while it gets ready out of sight. */
  readonly position: number | null;
  /** On the grid; null where the tile is alone on it or out of sight. */
  readonly place: GridPlace | null;
  /** Another tile fills the wall. */
  readonly isBehind: boolean;
}

export const Tile = memo(function Tile({ cell, position, place, isBehind }: TileProps) {
  const t = useT();
  const frame = useRef<HTMLLIElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const channel = useWall((wall) => wall.cells[cell] ?? null);
  const isSelected = useWall((wall) => wall.selected === cell);
  const isAudible = useWall((wall) => wall.audible === cell);
  const windows = useWall((wall) => windowCount(wall, cell));
  const key = channel && wallChannelKey(channel);
  const { name, streamNum, facts } = useKnownFacts(channel);
  const quality = useTileStream(channel, windows, streamNum);
  const { native, place: nativePlace, ownKey } = useNativePlay(cell, key);
  const played = usePlayedChannel(channel, native !== null);
  const view = useLiveTile({ frame, video, canvas }, { channel: played, quality, isAudible });
  const isOver = useTilePointer(frame, cell);
  const isEngaged = useTileEngaged(frame, isSelected);
  // The shell shows the whole picture.
  const zoom = useDigitalZoom(frame, cell, ownKey);
  const zoomed = isZoomed(zoom);
  usePublishedKind(cell, view.state.kind);
  useEffect(() => registerSnapshot(cell, view.tile, name), [cell, view.tile, name]);
  return (
    <li
      ref={frame}
      className={style.tile}
      style={placeStyle(place, position)}
      draggable={channel !== null && !zoomed}
      inert={position === null}
      data-cell={cell}
      data-warm={position === null || undefined}
      data-state={channel ? view.state.kind : 'empty'}
      data-native={nativePlace}
      data-selected={isSelected || undefined}
      data-behind={isBehind || undefined}
      data-drop={isOver || undefined}
      data-zoomed={zoomed || undefined}
    >
      <TilePicture video={video} canvas={canvas} state={view.state} zoom={zoom} />
      <TileHandle cell={cell} position={position} name={name} isSelected={isSelected} />
      {channel === null ? (
        <div className={style.free}>
          <IconPlus size={18} stroke={1.5} aria-hidden="true" />
          <span className="visually-hidden">{t('live.dragHere')}</span>
        </div>
      ) : (
        <>
          <TileBoxes {...{ cell, channel, native, zoom }} tile={view.tile} state={view.state} />
          <ZoomMap view={zoom} />
          <TileFurniture {...{ cell, native, name, facts, view, isSelected, isEngaged }} />
        </>
      )}
    </li>
  );
});

function usePublishedKind(cell: number, kind: TileState['kind']): void {
  useEffect(() => {
    publishTileKind(cell, kind);
    return () => publishTileKind(cell, null);
  }, [cell, kind]);
}

/** What the page itself plays: until the resources are here nobody knows how many streams the channel has. */
function usePlayedChannel(channel: WallChannel | null, isNative: boolean): WallChannel | null {
  const isKnown = useChannelFacts((state) => state.isLoaded);
  return isKnown && !isNative ? channel : null;
}

interface TileHandleProps extends Pick<TileProps, 'cell' | 'position'> {
  readonly name: string;
  readonly isSelected: boolean;
}

function TileHandle({ cell, position, name, isSelected }: TileHandleProps) {
  const t = useT();
  return (
    <button
      type="button"
      className={style.handle}
      data-handle
      aria-label={tileLabel(t('live.window', { no: (position ?? 0) + 1 }), name)}
      aria-pressed={isSelected}
      tabIndex={isSelected ? 0 : -1}
      onFocus={() => select(cell)}
      onClick={() => select(cell)}
    />
  );
}

interface TilePictureProps {
  readonly video: RefObject<HTMLVideoElement | null>;
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly state: TileState;
  readonly zoom: ZoomView;
}

function TilePicture({ video, canvas, state, zoom }: TilePictureProps) {
  const isFrozen = state.kind !== 'live' || state.transport === 'jpeg';
  return (
    <div className={style.picture} style={isZoomed(zoom) ? { transform: zoomTransform(zoom) } : undefined}>
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
        data-dim={(isFrozen && isDimmed(state)) || undefined}
      />
    </div>
  );
}

interface TileFurnitureProps {
  readonly cell: number;
  readonly native: NativeTile | null;
  readonly name: string;
  readonly facts: ChannelFacts | undefined;
  readonly view: LiveTileView;
  readonly isSelected: boolean;
  readonly isEngaged: boolean;
}

/** What stands over the picture of a tile that shows a channel. */
function TileFurniture({ cell, native, name, facts, view, isSelected, isEngaged }: TileFurnitureProps) {
  const extras = use(TileExtrasContext);
  const extra = facts && { cell, channel: facts, isStop: isSelected, isEngaged };
  return (
    <>
      {native && <NativeMark native={native} />}
      <TileMessage
        state={view.state}
        lastFrameAt={view.lastFrameAt}
        onRetry={() => view.tile.retry()}
        onConnection={
          facts?.canManage === true ? () => openConnection({ ...facts, name: facts.deviceName ?? name }) : undefined
        }
      />
      {extra && extras?.overlay?.(extra)}
      <TileInfo tile={view.tile} state={view.state} quality={view.quality} isSelected={isSelected} />
      <TileBar
        cell={cell}
        name={name}
        facts={facts}
        state={view.state}
        audioState={view.audioState}
        quality={view.quality}
        isSelected={isSelected}
        extra={extra && extras?.actions?.(extra)}
      />
    </>
  );
}

/** Until the picture of the shell is seen through the page. */
function NativeMark({ native }: { readonly native: NativeTile }) {
  const t = useT();
  const isBeneath = useNativeOverlay((overlay) => overlay.isBeneath);
  return isBeneath && native.picture ? null : <p className={style.native}>{t('live.inClient')}</p>;
}

/** On the grid; and its number, by which it stands in the one column of a phone. */
function placeStyle(place: GridPlace | null, position: number | null): CSSProperties | undefined {
  if (place === null) return undefined;
  const { column, row, span } = place;
  const grid = { gridColumn: `${column + 1} / span ${span}`, gridRow: `${row + 1} / span ${span}` };
  return { ...grid, '--place': position } as CSSProperties;
}

function tileLabel(window: string, name: string): string {
  return name === '' ? window : `${window}: ${name}`;
}

/** A picture that comes at once needs no curtain; an old one must look old. */
function isDimmed(state: TileState): boolean {
  return state.kind !== 'live' && state.kind !== 'connecting';
}
