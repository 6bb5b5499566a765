// Playback of one channel: picture, controls, timeline. What to play and where stands in the address of the page.
import { formatDate } from '@vedette/rules/time-format.ts';
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { StateView } from '../../ui/state-view.tsx';
import { type PlaybackChannel, playbackChannelKey } from './playback-channel.ts';
import { playbackCommands } from './playback-commands.ts';
import { PlayerView } from './player-view.tsx';
import { useRecordedSpans } from './record-queries.ts';
import { Timeline } from './timeline.tsx';
import type { TimelineDriver } from './timeline-driver.ts';
import type { TickFormat } from './timeline-ticks.ts';
import { TransportBar } from './transport-bar.tsx';
import { usePlaybackKeys } from './use-playback-keys.ts';
import { usePlaybackSession } from './use-playback-session.ts';
import { addDays, type CalendarDay, dayBounds, dayKey, dayOf } from './zone-time.ts';

export interface PlaybackPanelProps {
  readonly channel: PlaybackChannel | null;
  readonly name: string;
  readonly format: TickFormat;
  /** Where to play: changes when somebody says so elsewhere. Null while it is not known. */
  readonly wantedAt: number | null;
  readonly day: CalendarDay;
  readonly onDay: (day: CalendarDay) => void;
  readonly onSought: (at: number) => void;
  readonly onFullScreen: () => void;
  /** Stands in place of the picture. */
  readonly instead: ReactNode;
  /** Changes when rights may have changed: playback asks again whether it may go on. */
  readonly rightsMark: number;
}

export function PlaybackPanel(props: PlaybackPanelProps) {
  const { channel, name, format, wantedAt, day, onDay, onSought, onFullScreen, instead, rightsMark } = props;
  const t = useT();
  const { clock } = useServices();
  const video = useRef<HTMLVideoElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const driver = useRef<TimelineDriver | null>(null);
  const timeInput = useRef<HTMLInputElement>(null);
  const [isMuted, setMuted] = useState(true);
  const elements = useMemo(() => ({ video, canvas }), []);
  const view = usePlaybackSession(elements, channel);
  const days = useMemo(() => [addDays(day, -1), day, addDays(day, 1)], [day]);
  const recorded = useRecordedSpans(channel, days, format.timeZone);
  const bounds = dayBounds(format.timeZone, day);
  useFollowWish(view.session, wantedAt, driver);
  usePauseBehind(view.session, instead !== null);
  useFollowDay(day, format.timeZone, driver);
  useEffect(() => {
    // A refusal shows in the session's state; a server that is away is no reason to stop.
    view.session?.verify().catch((failure: unknown) => console.warn('rights not checked', failure));
  }, [view.session, rightsMark]);
  useEffect(() => {
    if (video.current) video.current.muted = isMuted;
  }, [isMuted, view.session]);
  const isCovered = instead !== null;
  useEffect(() => {
    // Nothing plays behind a day that has no recordings.
    if (isCovered) view.session?.pause();
  }, [isCovered, view.session]);
  const rows = useMemo(
    () => [{ key: channel ? playbackChannelKey(channel) : '', name, spans: recorded.spans, gaps: [] }],
    [channel, name, recorded.spans],
  );
  const commands = playbackCommands({
    session: view.session,
    driver,
    spans: recorded.spans,
    zone: format.timeZone,
    now: () => clock.now(),
    dayAt: bounds.start,
    onSought,
    toggleSound: () => setMuted((before) => !before),
  });
  usePlaybackKeys(commands, () => timeInput.current?.focus());
  const failure =
    recorded.failure === null ? null : (
      <StateView role="alert" title={t('playback.spansFailed')} detail={failureText(t, recorded.failure)} />
    );
  return (
    <>
      <PlayerView
        elements={elements}
        state={view.state}
        jump={view.jump}
        name={name}
        format={format}
        onRetry={() => view.session?.play()}
        onToggle={commands.toggle}
        onFullScreen={onFullScreen}
        instead={instead ?? (view.state.kind === 'idle' ? failure : null)}
      />
      <TransportBar
        commands={commands}
        isPlaying={view.state.kind === 'playing' || view.state.kind === 'loading'}
        isMuted={isMuted}
        rate={view.rate}
        isDisabled={channel === null}
        timeInput={timeInput}
      />
      <Timeline
        rows={rows}
        selectedKey={null}
        onScrub={() => undefined}
        format={format}
        position={instead === null ? view.position : nowhere}
        onSeek={commands.seek}
        onView={({ center }) => onDay(dayOf(format.timeZone, center))}
        startAt={wantedAt ?? bounds.start}
        onDriver={(made) => {
          driver.current = made;
        }}
      />
      <p className="visually-hidden" aria-live="polite">
        {formatDate(bounds.start, format)}
      </p>
    </>
  );
}

/** Without a playhead the timeline stays on the day that was chosen. */
const nowhere = (): null => null;

/** Plays where the address says, once for every new wish. */
function useFollowWish(
  session: ReturnType<typeof usePlaybackSession>['session'],
  wantedAt: number | null,
  driver: { readonly current: TimelineDriver | null },
): void {
  const go = useEffectEvent((at: number) => {
    const here = session?.position ?? null;
    // The address follows what was sought here: nothing to do.
    if (here !== null && Math.abs(here - at) < 2000) return;
    session?.seek(at);
    session?.play();
    driver.current?.reveal(at);
  });
  useEffect(() => {
    if (session && wantedAt !== null) go(wantedAt);
  }, [session, wantedAt]);
}

/** Shows the day that was chosen elsewhere, whole. */
function useFollowDay(day: CalendarDay, zone: string, driver: { readonly current: TimelineDriver | null }): void {
  useEffect(() => {
    const timeline = driver.current;
    if (!timeline || dayKey(dayOf(zone, timeline.view.center)) === dayKey(day)) return;
    const { start, end } = dayBounds(zone, day);
    timeline.show(start, end);
  }, [day, zone, driver]);
}

/** Nothing plays behind what stands in place of the picture; it goes on afterwards. */
function usePauseBehind(session: ReturnType<typeof usePlaybackSession>['session'], isCovered: boolean): void {
  useEffect(() => {
    if (!session || !isCovered || session.state.kind === 'paused') return;
    session.pause();
    return () => session.play();
  }, [session, isCovered]);
}
