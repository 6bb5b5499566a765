// What is marked on the timeline of playback: the range in hand, bookmarks and locks, as layers and as commands.
import { formatClock } from '@vedette/rules/time-format.ts';
import { useMemo, useState } from 'react';
import { useAlarmLayer } from '../../features/alarm/use-alarm-layer.ts';
import { createMarksLayer } from '../../features/bookmark/marks-layer.ts';
import { type Mark, type Marks, useMarkActions, useMarks } from '../../features/bookmark/mark.query.ts';
import {
  type MarkedRange,
  NO_RANGE,
  useMarkedRange,
  type WholeRange,
  wholeRange,
  withEnd,
  withStart,
} from '../../features/export/marked-range.ts';
import { createRangeLayer, type RangeHold } from '../../features/export/range-layer.ts';
import type { PlaybackReach } from '../../features/playback/playback-panel.tsx';
import { channelsOf, type PlaybackWall, selectedChannel } from '../../features/playback/playback-wall.ts';
import type { TimelineLayer } from '../../features/playback/timeline/timeline-layers.ts';
import type { TickFormat } from '../../features/playback/timeline/timeline-ticks.ts';
import { useT } from '../../language/use-t.ts';
import { showToast } from '../../ui/feedback/toast-store.ts';

export interface TimelineMarks {
  readonly layers: readonly TimelineLayer[];
  readonly marks: Marks;
  readonly range: MarkedRange;
  readonly whole: WholeRange | null;
  /** A camera is chosen: without one nothing can be marked. */
  readonly canMark: boolean;
  markStart(reach: PlaybackReach): void;
  markEnd(reach: PlaybackReach): void;
  clear(): void;
  bookmark(reach: PlaybackReach): void;
  lock(range: WholeRange, name: string, reason: string): Promise<void>;
}

export interface TimelineMarksOptions {
  readonly wall: PlaybackWall;
  readonly format: TickFormat;
  readonly onJump: (at: number) => void;
  /** Of the day in sight: alarms are laid over it. */
  readonly range: { readonly start: number; readonly end: number };
}

export function useTimelineMarks({ wall, format, onJump, range: shown }: TimelineMarksOptions): TimelineMarks {
  const t = useT();
  const channels = useMemo(() => channelsOf(wall), [wall]);
  const marks = useMarks(channels);
  const actions = useMarkActions();
  const range = useMarkedRange();
  const channel = selectedChannel(wall);
  const alarms = useAlarmLayer({ channels, range: shown, onJump });
  const own = useLayers(marks.marks, range, onJump);
  const layers = useMemo(() => [alarms, ...own], [alarms, own]);
  const put = (change: (before: MarkedRange, at: number) => MarkedRange) => (reach: PlaybackReach) => {
    const at = reach.position();
    if (at !== null) useMarkedRange.setState(change(useMarkedRange.getState(), Math.round(at)));
  };
  return {
    layers,
    marks,
    range,
    whole: wholeRange(range),
    canMark: channel !== null,
    markStart: put(withStart),
    markEnd: put(withEnd),
    clear: () => useMarkedRange.setState(NO_RANGE),
    bookmark: (reach) => {
      const at = reach.position();
      if (at === null || channel === null) return;
      const time = formatClock(at, format);
      const name = t('marks.defaultBookmark', { time });
      const mark = { kind: 'bookmark', channel, start: Math.round(at), end: Math.round(at), name, reason: '' } as const;
      actions.add([mark]).then(
        () => showToast('success', t('marks.bookmarked', { time })),
        // The sentence of the refusal is shown by the call itself.
        () => undefined,
      );
    },
    lock: async ({ start, end }, name, reason) => {
      // Every camera on screen: an incident is seen by several.
      await actions.add(channels.map((one) => ({ kind: 'lock', channel: one, start, end, name, reason })));
      showToast('success', t('marks.locked', { name, cameras: t.plural('export.items', channels.length) }));
    },
  };
}

/** A new list whenever something on it changed, so that the timeline paints again. */
function useLayers(marks: readonly Mark[], range: MarkedRange, onJump: (at: number) => void): readonly TimelineLayer[] {
  const [hold] = useState<RangeHold>(() => ({ handle: null }));
  return useMemo(() => [createMarksLayer(marks, onJump), createRangeLayer(range, hold)], [marks, range, hold, onJump]);
}
