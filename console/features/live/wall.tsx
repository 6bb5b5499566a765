// The live wall: a grid of tiles in which any picture can take the whole place, and tiles out of sight that get ready.
import { type ReactNode, useMemo } from 'react';
import { useT } from '../../language/use-t.ts';
import { LivePlayerContext, useNewLivePlayer } from './tile/live-player.ts';
import { Tile } from './tile/tile.tsx';
import { type TileExtras, TileExtrasContext } from './tile/tile-extras.ts';
import { wallGrid } from './wall/wall-grid.ts';
import style from './wall.module.css';
import { useWall } from './wall/wall-store.ts';

export interface WallProps {
  /** Takes the place of the tiles while the wall shows no channel. */
  readonly empty: ReactNode;
  /** What other features add to every tile with a channel. */
  readonly extras?: TileExtras;
}

const ONE_WINDOW = 'minmax(0, 1fr) / minmax(0, 1fr)';

export function Wall({ empty, extras }: WallProps) {
  const t = useT();
  const player = useNewLivePlayer();
  const split = useWall((wall) => wall.split);
  const order = useWall((wall) => wall.order);
  const warm = useWall((wall) => wall.warm);
  const maximised = useWall((wall) => wall.maximised);
  const isEmpty = useWall((wall) => wall.order.slice(0, wall.split).every((cell) => !wall.cells[cell]));
  // Drawn by cell, placed by `order`: a tile that moves or comes into sight keeps its element and its picture.
  const tiles = useMemo(
    () =>
      [...order.slice(0, split), ...(warm?.cells ?? [])]
        .map((cell, position) => ({ cell, position: position < split ? position : null }))
        .toSorted((a, b) => a.cell - b.cell),
    [order, split, warm],
  );
  const { columns } = wallGrid(split);
  const lines = `repeat(${columns}, minmax(0, 1fr))`;
  return (
    <div className={style.place}>
      <ul
        className={style.wall}
        style={{ grid: maximised === null ? `${lines} / ${lines}` : ONE_WINDOW }}
        aria-label={t('live.wall')}
        data-split={split}
        data-maximised={maximised === null ? undefined : true}
      >
        <LivePlayerContext value={player}>
          <TileExtrasContext value={extras ?? null}>
            {tiles.map(({ cell, position }) => (
              <Tile
                key={cell}
                cell={cell}
                position={position}
                place={maximised === null && position !== null ? (wallGrid(split).places[position] ?? null) : null}
                isBehind={maximised !== null && maximised !== cell}
              />
            ))}
          </TileExtrasContext>
        </LivePlayerContext>
      </ul>
      {isEmpty && <div className={style.empty}>{empty}</div>}
    </div>
  );
}
