// The live wall: a grid of tiles in which any picture can take the whole place.
import { type ReactNode, useMemo } from 'react';
import { useT } from '../../language/use-t.ts';
import { LivePlayerContext, useNewLivePlayer } from './live-player.ts';
import { Tile } from './tile.tsx';
import style from './wall.module.css';
import { useWall } from './wall-store.ts';

/** `empty` takes the place of the tiles while the wall shows no channel. */
export function Wall({ empty }: { readonly empty: ReactNode }) {
  const t = useT();
  const player = useNewLivePlayer();
  const split = useWall((wall) => wall.split);
  const order = useWall((wall) => wall.order);
  const maximised = useWall((wall) => wall.maximised);
  const isEmpty = useWall((wall) => wall.order.slice(0, wall.split).every((cell) => !wall.cells[cell]));
  // Drawn by cell, placed by `order`: a tile that moves keeps its element and its picture.
  const shown = useMemo(
    () =>
      order
        .slice(0, split)
        .map((cell, position) => ({ cell, position }))
        .toSorted((a, b) => a.cell - b.cell),
    [order, split],
  );
  return (
    <div className={style.place}>
      <ul
        className={style.wall}
        aria-label={t('live.wall')}
        data-split={split}
        data-maximised={maximised === null ? undefined : true}
      >
        <LivePlayerContext value={player}>
          {shown.map(({ cell, position }) => (
            <Tile key={cell} cell={cell} position={position} isBehind={maximised !== null && maximised !== cell} />
          ))}
        </LivePlayerContext>
      </ul>
      {isEmpty && <div className={style.empty}>{empty}</div>}
    </div>
  );
}
