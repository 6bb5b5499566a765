// Cells over the picture that are watched: painted by dragging, or with the space bar under a cursor moved by the arrow keys.
import type { Grid } from '@vedette/contract/config/fields.ts';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useT } from '../../language/use-t.ts';
import style from './device-config.module.css';
import { inside, shareOf } from './use-drag.ts';

export interface CellOverlayProps {
  readonly grid: Grid;
  readonly onGrid: (grid: Grid) => void;
}

const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function CellOverlay({ grid, onGrid }: CellOverlayProps) {
  const t = useT();
  const { columns, rows, cells } = grid;
  /** What the stroke makes of the cells it touches. */
  const brush = useRef<'0' | '1' | null>(null);
  const newest = useRef(grid);
  newest.current = grid;
  const [cursor, setCursor] = useState(0);
  const put = (at: number, cell: '0' | '1'): void => {
    const now = newest.current;
    if (now.cells[at] === cell) return;
    const next = { ...now, cells: now.cells.slice(0, at) + cell + now.cells.slice(at + 1) };
    newest.current = next;
    onGrid(next);
  };
  const cellAt = (event: PointerEvent<Element>): number => {
    const { x, y } = inside(shareOf(event));
    return Math.min(rows - 1, Math.floor(y * rows)) * columns + Math.min(columns - 1, Math.floor(x * columns));
  };
  const end = (): void => {
    brush.current = null;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = MOVES[event.key];
    if (event.key === ' ' || event.key === 'Enter') put(cursor, cells[cursor] === '1' ? '0' : '1');
    else if (move === undefined) return;
    else {
      const column = Math.max(0, Math.min(columns - 1, (cursor % columns) + move[0]));
      const row = Math.max(0, Math.min(rows - 1, Math.floor(cursor / columns) + move[1]));
      setCursor(row * columns + column);
    }
    event.preventDefault();
  };
  return (
    <div
      className={style.cells}
      role="group"
      tabIndex={cells === '' ? -1 : 0}
      aria-label={t('config.cells')}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        const at = cellAt(event);
        brush.current = cells[at] === '1' ? '0' : '1';
        setCursor(at);
        put(at, brush.current);
      }}
      onPointerMove={(event) => {
        if (brush.current !== null) put(cellAt(event), brush.current);
      }}
      onPointerUp={end}
      onPointerCancel={end}
    >
      <svg viewBox={`0 0 ${columns} ${rows}`} preserveAspectRatio="none" aria-hidden="true">
        {[...cells].map((cell, at) => (
          <rect
            key={at}
            x={at % columns}
            y={Math.floor(at / columns)}
            width={1}
            height={1}
            data-on={cell === '1' || undefined}
            data-cursor={at === cursor || undefined}
          />
        ))}
      </svg>
    </div>
  );
}
