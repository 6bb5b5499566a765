// The thumbnail under the pointer while the timeline is dragged.
import type { PlaybackGroup } from '@vedette/player/playback/playback-group.ts';
import { formatClock } from '@vedette/rules/time-format.ts';
import { useEffect, useRef } from 'react';
import style from './timeline-preview.module.css';
import type { TickFormat } from './timeline-ticks.ts';

export interface TimelinePreviewProps {
  readonly group: PlaybackGroup | null;
  /** The tile whose pictures are shown. */
  readonly tile: string | null;
  readonly at: number;
  /** Of the pointer from the timeline's left edge, CSS pixels. */
  readonly x: number;
  /** Words where nothing was recorded at `at`; null where something was. */
  readonly gap: string | null;
  readonly format: TickFormat;
}

const WIDTH = 240;

export function TimelinePreview({ group, tile, at, x, gap, format }: TimelinePreviewProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (!group || tile === null) return;
    group.scrub(tile, at, (_shownAt, bitmap) => draw(canvas.current, bitmap));
  }, [group, tile, at]);
  useEffect(() => {
    if (!group || tile === null) return;
    return () => group.scrub(tile, null, (_at, bitmap) => bitmap.close());
  }, [group, tile]);
  return (
    <div className={style.preview} style={{ left: `clamp(0px, ${x - WIDTH / 2}px, calc(100% - ${WIDTH}px))` }}>
      <canvas ref={canvas} className={style.picture} width={WIDTH} height={(WIDTH * 9) / 16} data-scrub />
      {gap !== null && <p className={style.gap}>{gap}</p>}
      <time className={style.time}>{formatClock(at, format)}</time>
    </div>
  );
}

function draw(canvas: HTMLCanvasElement | null, bitmap: ImageBitmap): void {
  if (canvas) {
    canvas.height = Math.round((canvas.width * bitmap.height) / bitmap.width);
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  }
  bitmap.close();
}
