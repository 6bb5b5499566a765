// Playback of up to sixteen channels on one clock: pictures, controls, timeline. What to play and where stands in the address of the page.
import { formatDate } from '@vedette/rules/time-format.ts';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { StateView } from '../../ui/feedback/state-view.tsx';
import { timelineGaps, timelineNotes } from './gap-words.ts';
import { LimitedPlayback } from './limited-playback.tsx';
import { playbackChannelKey } from './playback-channel.ts';
import { PlayheadClock } from './playhead-clock.tsx';
import { playbackCommands } from './playback-commands.ts';
import { PlaybackGrid } from './playback-grid.tsx';
import { channelsOf, type PlaybackWall, resize, select, selectedChannel } from './playback-wall.ts';
import { useRecordings } from './record-queries.ts';
import { useSeenRanges } from './seen/seen-ranges.query.ts';
import { TimelinePreview } from './timeline/timeline-preview.tsx';
import style from './playback-panel.module.css';
import { Timeline } from './timeline/timeline.tsx';
import type { TimelineDriver } from './timeline/timeline-driver.ts';
import type { TimelinePointer } from './timeline/timeline-driver-options.ts';
import { NO_LAYERS, type TimelineLayer } from './timeline/timeline-layers.ts';
import { gapAt, type TimelineRow } from './timeline/timeline-rows.ts';
import type { TickFormat } from './timeline/timeline-ticks.ts';
import { TransportBar } from './transport-bar.tsx';
import { useFollowDay, useFollowWish, useKeepMoment, usePauseBehind, useVerify } from './use-playback-effects.ts';
import { type PlaybackGroupView, usePlaybackGroup } from './use-playback-group.ts';
import { usePlaybackKeys } from './use-playback-keys.ts';
import { addDays, type CalendarDay, dayBounds, dayOf } from '../calendar/zone-time.ts';

/** What stands under the timeline can ask and move the playhead. */
export interface PlaybackReach {
  readonly position: () => number | null;
  readonly seek: (at: number) => void;
}

export interface PlaybackPanelProps {
  readonly wall: PlaybackWall;
  readonly onWall: (wall: PlaybackWall) => void;
  /** By channel key. */
  readonly names: ReadonlyMap<string, string>;
  readonly format: TickFormat;
  /** Where to play: changes when somebody says so elsewhere. Null while it is not known. */
  readonly wantedAt: number | null;
  /** `wantedAt` is where the newest recording is: the hours before it are shown. */
  readonly isNewest: boolean;
  readonly day: CalendarDay;
  readonly onDay: (day: CalendarDay) => void;
  readonly onSought: (at: number) => void;
  readonly onFullScreen: () => void;
  /** Stands in place of the pictures. */
  readonly instead: ReactNode;
  /** Changes when rights may have changed: playback asks again whether it may go on. */
  readonly rightsMark: number;
  /** Drawn over the tracks of the timeline. */
  readonly layers?: readonly TimelineLayer[];
  /** Stands under the timeline. */
  readonly below?: (reach: PlaybackReach) => ReactNode;
}

/** Without a playhead the timeline stays on the day that was chosen. */
const nowhere = (): null => null;

export function PlaybackPanel(props: PlaybackPanelProps) {
  const { wall, onWall, format, wantedAt, isNewest, day, onDay, instead, rightsMark } = props;
  const { clock } = useServices();
  const t = useT();
  const driver = useRef<TimelineDriver | null>(null);
  const timeInput = useRef<HTMLInputElement>(null);
  const [heard, setHeard] = useState<string | null>(null);
  const [preview, setPreview] = useState<TimelinePointer | null>(null);
  const view = usePlaybackGroup();
  const chosen = selectedChannel(wall);
  const chosenKey = chosen ? playbackChannelKey(chosen) : null;
  const { rows, failure } = useRows(props);
  const row = rows.find(({ key }) => key === chosenKey);
  const bounds = dayBounds(format.timeZone, day);
  const tellSought = useFollowWish(view.group, { at: chosen === null ? null : wantedAt, isNewest }, driver);
  useFollowDay(day, format.timeZone, driver);
  useKeepMoment(view.group);
  usePauseBehind(view.group, instead !== null);
  useVerify(view.group, rightsMark);
  useEffect(() => view.group?.listen(heard), [view.group, heard]);
  const commands = useCommands(props, view, { driver, row, chosenKey, heard, setHeard, tellSought });
  const onSplit = (split: PlaybackWall['split']): void => onWall(resize(wall, split));
  usePlaybackKeys({ commands, onGoTo: () => timeInput.current?.focus(), onSplit });
  return (
    <>
      <PlaybackGrid
        {...props}
        view={view}
        heard={heard}
        onHear={(key) => setHeard((before) => (before === key ? null : key))}
        onToggle={commands.toggle}
        gapReason={(key, at) => gapAt(rows.find((one) => one.key === key) ?? null, at)?.reason ?? null}
        instead={instead ?? (view.position() === null ? failureView(t, failure) : null)}
      />
      <TransportBar
        commands={commands}
        isPlaying={view.isPlaying}
        isMuted={isMuted(heard, chosenKey)}
        rate={view.rate}
        canReverse={view.engine.kind === 'webcodecs'}
        isDisabled={chosen === null}
        split={wall.split}
        onSplit={onSplit}
        format={format}
        timeInput={timeInput}
        clock={<PlayheadClock position={instead === null ? view.position : nowhere} format={format} />}
        notice={<LimitedPlayback engine={view.engine} />}
      />
      <div className={style.timeline}>
        <RecordingPreview pointer={preview} chosenKey={chosenKey} {...{ rows, view, format }} />
        <Timeline
          rows={rows}
          selectedKey={chosenKey}
          layers={props.layers ?? NO_LAYERS}
          format={format}
          position={instead === null ? view.position : nowhere}
          subscribe={view.subscribe}
          onSeek={(at, key) => {
            const cell = wall.cells.findIndex((one) => one !== null && playbackChannelKey(one) === key);
            if (cell >= 0 && cell !== wall.selected) onWall(select(wall, cell));
            commands.seek(at);
          }}
          onPreview={setPreview}
          onView={(focus) => onDay(dayOf(format.timeZone, focus))}
          startAt={wantedAt ?? Math.min(bounds.end, clock.wallMs())}
          onDriver={(made) => {
            driver.current = made;
          }}
        />
      </div>
      {props.below?.({ position: view.position, seek: commands.seek })}
      <p className="visually-hidden" aria-live="polite">
        {formatDate(bounds.start, format)}
      </p>
    </>
  );
}

/** Null while nothing failed: then the pictures stand there. */
function failureView(t: ReturnType<typeof useT>, failure: unknown): ReactNode {
  if (failure === null) return null;
  return <StateView role="alert" title={t('playback.spansFailed')} detail={failureText(t, failure)} />;
}

interface RecordingPreviewProps {
  readonly pointer: TimelinePointer | null;
  readonly chosenKey: string | null;
  readonly rows: readonly TimelineRow[];
  readonly view: PlaybackGroupView;
  readonly format: TickFormat;
}

/** Of the lane under the pointer; above and below the lanes that of the chosen one. */
function RecordingPreview({ pointer, chosenKey, rows, view, format }: RecordingPreviewProps) {
  const t = useT();
  if (pointer === null || chosenKey === null) return null;
  const { at, x } = pointer;
  const tile = pointer.row ?? chosenKey;
  const row = rows.find(({ key }) => key === tile);
  const gap = isRecorded(row, at) ? null : t('playback.gap');
  return <TimelinePreview group={view.group} {...{ tile, at, x, gap, format }} />;
}

/** The chosen window is not the one that is heard. */
function isMuted(heard: string | null, chosenKey: string | null): boolean {
  return heard === null || heard !== chosenKey;
}

function isRecorded(row: TimelineRow | undefined, at: number): boolean {
  return row?.spans.some(({ start, end }) => at >= start && at < end) ?? false;
}

/** What was recorded around the day in sight, a row per channel. */
function useRows({ wall, names, day, format }: PlaybackPanelProps): {
  readonly rows: readonly TimelineRow[];
  readonly failure: unknown;
} {
  const t = useT();
  const channels = useMemo(() => channelsOf(wall), [wall]);
  const days = useMemo(() => [addDays(day, -1), day, addDays(day, 1)], [day]);
  const recordings = useRecordings(channels, days, format.timeZone);
  const seen = useSeenRanges(channels, days, format.timeZone);
  const rows = useMemo(
    () =>
      channels.map((channel, at) => {
        const key = playbackChannelKey(channel);
        const found = recordings[at];
        const gaps = found ? timelineGaps(t, found) : [];
        const notes = found ? timelineNotes(t, found) : [];
        const spans = found?.spans ?? [];
        return { key, name: names.get(key) ?? channel.deviceSerial, spans, gaps, notes, seen: seen.get(key) ?? [] };
      }),
    [channels, recordings, seen, names, t],
  );
  return { rows, failure: recordings.find(({ failure }) => failure !== null)?.failure ?? null };
}

interface CommandParts {
  readonly driver: { current: TimelineDriver | null };
  readonly row: TimelineRow | undefined;
  readonly chosenKey: string | null;
  readonly heard: string | null;
  readonly setHeard: (key: string | null) => void;
  readonly tellSought: (at: number) => void;
}

function useCommands(
  { format, day, onSought }: PlaybackPanelProps,
  view: PlaybackGroupView,
  { driver, row, chosenKey, heard, setHeard, tellSought }: CommandParts,
) {
  const { clock } = useServices();
  return playbackCommands({
    group: view.group,
    tile: chosenKey,
    driver,
    spans: row?.spans ?? [],
    zone: format.timeZone,
    now: () => clock.wallMs(),
    dayAt: dayBounds(format.timeZone, day).start,
    canReverse: view.engine.kind === 'webcodecs',
    onSought: (at) => {
      tellSought(at);
      onSought(at);
    },
    toggleSound: () => setHeard(heard === chosenKey ? null : chosenKey),
  });
}
