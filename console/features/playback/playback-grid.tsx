// The windows of playback in their grid.
import type { ReactNode } from 'react';
import { playbackChannelKey } from './playback-channel.ts';
import style from './playback-panel.module.css';
import { EmptyTile, PlaybackTileView } from './playback-tile-view.tsx';
import { type PlaybackWall, place, remove, select } from './playback-wall.ts';
import { qualityRequest } from './recorded-quality.ts';
import type { TickFormat } from './timeline/timeline-ticks.ts';
import { useMaximise } from './use-maximise.ts';
import type { PlaybackGroupView } from './use-playback-group.ts';

export interface PlaybackGridProps {
  readonly view: PlaybackGroupView;
  readonly wall: PlaybackWall;
  readonly onWall: (wall: PlaybackWall) => void;
  readonly names: ReadonlyMap<string, string>;
  readonly format: TickFormat;
  /** Key of the channel that is listened to. */
  readonly heard: string | null;
  readonly onHear: (key: string) => void;
  readonly onToggle: () => void;
  readonly onFullScreen: () => void;
  readonly gapReason: (key: string, at: number) => string | null;
  /** Stands in place of the pictures. */
  readonly instead: ReactNode;
}

export function PlaybackGrid(props: PlaybackGridProps) {
  const { view, wall, onWall, names, format, heard, onHear, onToggle, onFullScreen, gapReason, instead } = props;
  const side = Math.sqrt(wall.split);
  const isOneOfMany = wall.split > 1;
  const maximise = useMaximise(wall, onWall, onFullScreen);
  return (
    <>
      {instead !== null && <div className={style.instead}>{instead}</div>}
      <div
        className={style.grid}
        hidden={instead !== null}
        style={{ gridTemplate: `repeat(${side}, minmax(0, 1fr)) / repeat(${side}, minmax(0, 1fr))` }}
        data-wall={wall.split}
      >
        {wall.cells.map((channel, cell) => {
          if (channel === null) return <EmptyTile key={cell} onDropChannel={(one) => onWall(place(wall, one, cell))} />;
          const key = playbackChannelKey(channel);
          const isSelected = cell === wall.selected;
          return (
            <PlaybackTileView
              key={key}
              view={view}
              channel={channel}
              name={names.get(key) ?? channel.deviceSerial}
              format={format}
              isOneOfMany={isOneOfMany}
              wish={qualityRequest(wall.split)}
              isSelected={isSelected}
              isHeard={heard === key}
              gapReason={(at) => gapReason(key, at)}
              jump={isSelected ? view.jump : null}
              onSelect={() => onWall(select(wall, cell))}
              onRemove={() => onWall(remove(wall, cell))}
              onHear={() => onHear(key)}
              onToggle={onToggle}
              onMaximise={() => maximise(cell)}
              onDropChannel={(one) => onWall(place(wall, one, cell))}
            />
          );
        })}
      </div>
    </>
  );
}
