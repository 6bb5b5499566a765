// Draws bookmarks as flags and locks as bands over the timeline; a press on a flag goes there.
import { playbackChannelKey } from '../playback/playback-channel.ts';
import type { TimelineLayerArea, TimelineLayer } from '../playback/timeline/timeline-layers.ts';
import type { PlacedRow } from '../playback/timeline/timeline-rows.ts';
import type { Mark } from './mark.query.ts';

const FLAG_PX = 5;
const REACH_PX = 7;
const BAND_PX = 3;

export function createMarksLayer(marks: readonly Mark[], onJump: (at: number) => void): TimelineLayer {
  let scene: TimelineLayerArea | null = null;
  const flagAt = (x: number): Mark | null => {
    const near = marks.filter(
      ({ kind, start }) => kind === 'bookmark' && scene && Math.abs(scene.xOf(start) - x) <= REACH_PX,
    );
    return near[0] ?? null;
  };
  return {
    paint: (context, painted, colours) => {
      scene = painted;
      for (const mark of marks) {
        const row = painted.layout.rows.find(({ key }) => key === playbackChannelKey(mark.channel));
        if (!row || painted.xOf(mark.end) < 0 || painted.xOf(mark.start) > painted.width) continue;
        context.fillStyle = mark.kind === 'lock' ? colours.text : colours.accent;
        if (mark.kind === 'lock') paintLock(context, painted, row, mark);
        else paintFlag(context, painted, row, mark);
      }
    },
    pointer: ({ kind, x, y }) => {
      const row = scene?.layout.rows[0];
      // Flags stand on the upper edge of their row: below it the track seeks as ever.
      const mark = kind === 'down' && row && y < row.top + FLAG_PX && y > row.top - 12 ? flagAt(x) : null;
      if (mark) onJump(mark.start);
      return mark !== null;
    },
    hint: (at, row) => {
      if (!scene) return null;
      const x = scene.xOf(at);
      const flag = flagAt(x);
      if (flag && (row === null || row === playbackChannelKey(flag.channel))) return flag.name;
      const lock = marks.find(
        ({ kind, channel, start, end }) =>
          kind === 'lock' && at >= start && at <= end && playbackChannelKey(channel) === row,
      );
      return lock?.name ?? null;
    },
  };
}

function paintLock(
  context: CanvasRenderingContext2D,
  { xOf, width }: TimelineLayerArea,
  row: PlacedRow,
  { start, end }: Mark,
): void {
  const [left, right] = [Math.max(-4, xOf(start)), Math.min(width + 4, xOf(end))];
  const bottom = row.top + row.height;
  context.fillRect(left, bottom - BAND_PX, Math.max(2, right - left), BAND_PX);
  // Ends that stand up, so that two locks side by side are two.
  context.fillRect(left, bottom - BAND_PX * 2.5, 1.5, BAND_PX * 2.5);
  context.fillRect(right - 1.5, bottom - BAND_PX * 2.5, 1.5, BAND_PX * 2.5);
}

function paintFlag(
  context: CanvasRenderingContext2D,
  { xOf }: TimelineLayerArea,
  row: PlacedRow,
  { start, end }: Mark,
): void {
  const x = Math.round(xOf(start));
  if (end > start) {
    context.globalAlpha = 0.35;
    context.fillRect(x, row.top, xOf(end) - x, row.height);
    context.globalAlpha = 1;
  }
  context.fillRect(x - 0.5, row.top - 2, 1.5, row.height + 2);
  context.beginPath();
  context.moveTo(x - FLAG_PX, row.top - 9);
  context.lineTo(x + FLAG_PX, row.top - 9);
  context.lineTo(x + FLAG_PX, row.top - 4);
  context.lineTo(x, row.top + 1);
  context.lineTo(x - FLAG_PX, row.top - 4);
  context.closePath();
  context.fill();
}
