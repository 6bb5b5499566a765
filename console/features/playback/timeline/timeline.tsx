// The timeline as a part of the page: a slider for keys and readers, and a list of the recorded spans beside the canvases.
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from 'react';
import { useT } from '../../../language/use-t.ts';
import { useServices } from '../../../services/services.ts';
import type { SpanKind } from './recorded-spans.ts';
import { SeenList } from './seen-list.tsx';
import { seenClasses } from './seen-ranges.ts';
import { TimelineDriver } from './timeline-driver.ts';
import type { TimelinePointer } from './timeline-driver-options.ts';
import { NO_LAYERS, type TimelineLayer } from './timeline-layers.ts';
import { LaneNames } from './lane-names.tsx';
import { TimelineLegend } from './timeline-legend.tsx';
import style from './timeline.module.css';
import type { TimelineRow } from './timeline-rows.ts';
import { clockLabel, type TickFormat } from './timeline-ticks.ts';
import { openingView } from './timeline-view.ts';
import { dayBounds, dayOf } from '../../calendar/zone-time.ts';

export interface TimelineProps {
  /** One per channel. */
  readonly rows: readonly TimelineRow[];
  readonly selectedKey: string | null;
  readonly layers?: readonly TimelineLayer[];
  readonly format: TickFormat;
  readonly position: () => number | null;
  /** Tells when the position may have jumped, or begins to move. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly onSeek: (at: number, row: string | null) => void;
  /** The pointer is dragged or rests over the tracks; null once that is over. */
  readonly onPreview: (preview: TimelinePointer | null) => void;
  readonly onView: (focus: number) => void;
  /** In sight at first, with the hours before it. */
  readonly startAt: number;
  /** The running timeline while it is on screen, for what moves it from outside. */
  readonly onDriver: (driver: TimelineDriver | null) => void;
}

const STEP_MS = { PageUp: -600_000, PageDown: 600_000 } as const;

const SPAN_WORDS = {
  device: 'playback.spanDevice',
  unknown: 'playback.spanUnknown',
  normal: 'playback.span',
  alarm: 'playback.spanAlarm',
} as const satisfies Readonly<Record<SpanKind, string>>;

export function Timeline(props: TimelineProps) {
  const {
    rows,
    selectedKey,
    layers = NO_LAYERS,
    format,
    position,
    onSeek,
    onPreview,
    onView,
    startAt,
    onDriver,
  } = props;
  const t = useT();
  const { clock } = useServices();
  const driver = useRef<TimelineDriver | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const tracks = useRef<HTMLCanvasElement>(null);
  const head = useRef<HTMLCanvasElement>(null);
  const day = dayBounds(format.timeZone, dayOf(format.timeZone, startAt));
  const seek = useEffectEvent(onSeek);
  const preview = useEffectEvent(onPreview);
  const tellView = useEffectEvent(onView);
  const where = useEffectEvent(position);
  const tellDriver = useEffectEvent(onDriver);
  const begin = useEffectEvent(
    (elements: { root: HTMLElement; tracks: HTMLCanvasElement; head: HTMLCanvasElement }) => {
      const made = new TimelineDriver(
        {
          ...elements,
          format,
          now: () => clock.wallMs(),
          position: () => where(),
          subscribe: props.subscribe,
          valueText: (at) => formatDateTime(at, format),
          nameOfClass: (objectClass) => t(`edge.class.${objectClass}`),
          headLabel: (at) => clockLabel(at, format),
          onSeek: (at, row) => seek(at, row),
          onPreview: (pointer) => preview(pointer),
          onView: (focus) => tellView(focus),
        },
        openingView(startAt),
      );
      elements.root.style.height = `${made.setRows(rows, selectedKey)}px`;
      made.setLayers(layers);
      return made;
    },
  );
  useEffect(() => {
    if (!root.current || !tracks.current || !head.current) return;
    const made = begin({ root: root.current, tracks: tracks.current, head: head.current });
    driver.current = made;
    tellDriver(made);
    const themes = new MutationObserver(() => made.refresh());
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'style'] });
    return () => {
      themes.disconnect();
      made.close();
      driver.current = null;
      tellDriver(null);
    };
  }, [format.timeZone, format.order, format.hours]);
  useEffect(() => {
    const height = driver.current?.setRows(rows, selectedKey);
    if (root.current && height !== undefined) root.current.style.height = `${height}px`;
  }, [rows, selectedKey]);
  useEffect(() => driver.current?.setLayers(layers), [layers]);
  const { spans = [], seen = [] } = rows.find(({ key }) => key === selectedKey) ?? rows[0] ?? {};

  const onKeyDown = (event: KeyboardEvent): void => {
    const at = position();
    if (event.key === '+' || event.key === '=') driver.current?.zoom(0.5);
    else if (event.key === '-') driver.current?.zoom(2);
    else if (at === null) return;
    else if (event.key === 'PageUp' || event.key === 'PageDown') onSeek(at + STEP_MS[event.key], null);
    else if (event.key === 'Home') onSeek(dayBounds(format.timeZone, dayOf(format.timeZone, at)).start, null);
    else if (event.key === 'End') onSeek(dayBounds(format.timeZone, dayOf(format.timeZone, at)).end - 1000, null);
    else return;
    event.preventDefault();
  };
  return (
    <div className={style.place}>
      <LaneNames rows={rows} selectedKey={selectedKey} />
      <div
        ref={root}
        className={style.timeline}
        role="slider"
        tabIndex={0}
        aria-label={t('playback.timeline')}
        aria-valuemin={Math.floor(day.start / 1000)}
        aria-valuemax={Math.ceil(day.end / 1000)}
        aria-valuenow={Math.round((position() ?? startAt) / 1000)}
        aria-valuetext={formatDateTime(position() ?? startAt, format)}
        onKeyDown={onKeyDown}
      >
        <canvas ref={tracks} className={style.canvas} aria-hidden="true" />
        <canvas ref={head} className={style.canvas} aria-hidden="true" />
      </div>
      <TimelineLegend
        classes={seenClasses(rows.flatMap((row) => row.seen ?? []))}
        hasUnknown={rows.some((row) => row.spans.some(({ kind }) => kind === 'unknown'))}
      />
      <ul className="visually-hidden" aria-label={t('playback.spans')}>
        {spans.slice(0, 200).map((span) => (
          <li key={`${span.start} ${span.kind}`}>
            {t(SPAN_WORDS[span.kind], {
              from: formatDateTime(span.start, format),
              to: formatDateTime(span.end, format),
            })}
          </li>
        ))}
      </ul>
      <SeenList seen={seen} format={format} />
      <MarkWords layers={layers} format={format} />
    </div>
  );
}

/** What is marked on the timeline, for those who do not see it. */
function MarkWords({ layers, format }: { readonly layers: readonly TimelineLayer[]; readonly format: TickFormat }) {
  const t = useT();
  const words = layers.flatMap((layer) => layer.words ?? []);
  if (words.length === 0) return null;
  return (
    <ul className="visually-hidden" aria-label={t('playback.marks')}>
      {words.slice(0, 200).map(({ at, text }) => (
        <li key={`${at} ${text}`} data-mark-at={at}>
          {t('playback.mark', { text, time: formatDateTime(at, format) })}
        </li>
      ))}
    </ul>
  );
}
