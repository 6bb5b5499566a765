// Writes the text that an export burns into its frames as an ASS script: one line for each second of recording, with name, date, time and offset.
import { VIDEO_TIMESCALE } from '../recordings/index-record.ts';

/** From here on, until the next one, the time of day runs with the movie. */
export interface TimeAnchor {
  /** Ticks from the first shown frame; negative in frames that are decoded only. */
  readonly at: number;
  readonly wallMs: number;
}

export interface BurnInText {
  readonly name: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly width: number;
  readonly height: number;
}

const TICKS_PER_MS = VIDEO_TIMESCALE / 1000;
const TICKS_PER_HUNDREDTH = VIDEO_TIMESCALE / 100;
/** Lines of text in the height of the frame, and the smallest readable size, in pixels. */
const LINES_IN_HEIGHT = 24;
const TEXT_MIN_PX = 12;

interface Second {
  readonly from: number;
  to: number;
  readonly second: number;
}

export function burnInScript(text: BurnInText, anchors: readonly TimeAnchor[], endTicks: number): string {
  const { name, timeZone, width, height } = text;
  const size = Math.max(TEXT_MIN_PX, Math.round(height / LINES_IN_HEIGHT));
  const edge = Math.round(size / 2);
  const padding = Math.max(2, Math.round(size / 5));
  // At the bottom on the left, where cameras rarely write; white on a dark box, readable on every picture.
  const look = `&H00FFFFFF,&H50000000,&H50000000,3,${padding},0,1,${edge},${edge},${edge}`;
  const format = timeFormat(timeZone);
  const lines = secondsOf(anchors, endTicks).map(
    ({ from, to, second }) =>
      `Dialogue: 0,${assTime(from)},${assTime(to)},Text,${escaped(name)}\\h\\h${timeText(format, second * 1000)}`,
  );
  return [
    '[Script Info]',
    'ScriptType: v4.00+',
    `PlayResX: ${width}`,
    `PlayResY: ${height}`,
    'WrapStyle: 0',
    '[V4+ Styles]',
    'Format: Name, Fontname, Fontsize, PrimaryColour, OutlineColour, BackColour, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV',
    `Style: Text,Sans,${size},${look}`,
    '[Events]',
    'Format: Layer, Start, End, Style, Text',
    ...lines,
    '',
  ].join('\n');
}

/** The stretches of the movie that were captured within one second of the day. */
function secondsOf(anchors: readonly TimeAnchor[], endTicks: number): readonly Second[] {
  const seconds: Second[] = [];
  for (const [index, { at: from, wallMs }] of anchors.entries()) {
    // A capture time is a sum of fractions, which may end just below a second.
    const anchor = { at: from, wallMs: Math.round(wallMs) };
    const until = Math.min(endTicks, anchors[index + 1]?.at ?? endTicks);
    for (let at = Math.max(0, anchor.at); at < until; ) {
      const second = Math.floor((anchor.wallMs + (at - anchor.at) / TICKS_PER_MS) / 1000);
      const next = anchor.at + ((second + 1) * 1000 - anchor.wallMs) * TICKS_PER_MS;
      const to = Math.min(until, Math.max(next, at + 1));
      const last = seconds.at(-1);
      if (last?.second === second) last.to = to;
      else seconds.push({ from: at, to, second });
      at = to;
    }
  }
  return seconds;
}

/** Cut off, so that a frame at the very start of a line already has it. */
function assTime(ticks: number): string {
  const hundredths = Math.floor(ticks / TICKS_PER_HUNDREDTH);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const hours = Math.floor(hundredths / 360_000);
  return `${hours}:${two((hundredths / 6000) % 60)}:${two((hundredths / 100) % 60)}.${two(hundredths % 100)}`;
}

function timeFormat(timeZone: string): Intl.DateTimeFormat {
  const date = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  return new Intl.DateTimeFormat('en', { timeZone, ...date, ...time, timeZoneName: 'longOffset' });
}

/** `2026-03-29 03:00:05 +02:00`: the offset tells the two equal hours of autumn apart. */
function timeText(format: Intl.DateTimeFormat, ms: number): string {
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const of = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  const offset = of('timeZoneName').replace('GMT', '') || '+00:00';
  return `${of('year')}-${of('month')}-${of('day')} ${of('hour')}:${of('minute')}:${of('second')} ${offset}`;
}

/** Braces and backslashes are commands of the format; an invisible character after a backslash takes its meaning. */
function escaped(name: string): string {
  return name.replaceAll(/\s+/g, ' ').replaceAll('\\', '\\\u2060').replaceAll('{', '\\{').replaceAll('}', '\\}');
}
