// Time zones as ONVIF writes them: POSIX TZ (IEEE 1003.1, 8.3), with `M` rules for daylight saving.

export interface YearlyRule {
  readonly month: number;
  /** 5 is the last one. */
  readonly week: number;
  /** 0 Sunday. */
  readonly weekday: number;
  /** After midnight. */
  readonly minute: number;
}

export interface PosixZone {
  /** Minutes east of UTC without daylight saving; POSIX counts westwards. */
  readonly offset: number;
  readonly daylight: { readonly shift: number; readonly start: YearlyRule; readonly end: YearlyRule } | null;
}

const NAME = '(?:<[^>]*>|[A-Za-z][A-Za-z ]*)';
const OFFSET = '([+-]?\\d{1,2}(?::\\d{2}(?::\\d{2})?)?)';
const ZONE = new RegExp(`^${NAME}${OFFSET}(?:${NAME}${OFFSET}?(?:,([^,]+),([^,]+))?)?$`, 'u');
const RULE = /^M(\d{1,2})\.(\d)\.(\d)(?:\/(\d{1,2})(?::(\d{2}))?(?::\d{2})?)?$/u;
const USUAL_SHIFT = 60;
const USUAL_MINUTE = 120;

/** Null for what is no such zone; a name that is followed by nothing counts as UTC. */
export function readPosixZone(text: string): PosixZone | null {
  const match = ZONE.exec(text.trim());
  if (match === null) return /^(?:UTC|GMT|Z)$/iu.test(text.trim()) ? { offset: 0, daylight: null } : null;
  const offset = -minutesOf(match[1] ?? '0');
  const start = readRule(match[3]);
  const end = readRule(match[4]);
  if (start === null || end === null) return { offset: offset + 0, daylight: null };
  const shift = match[2] === undefined ? USUAL_SHIFT : -minutesOf(match[2]) - offset;
  return { offset: offset + 0, daylight: { shift, start, end } };
}

export function writePosixZone({ offset, daylight }: PosixZone): string {
  const zone = `STD${writeMinutes(-offset)}`;
  if (daylight === null) return zone;
  const { shift, start, end } = daylight;
  const summer = shift === USUAL_SHIFT ? 'DST' : `DST${writeMinutes(-offset - shift)}`;
  return `${zone}${summer},${writeRule(start)},${writeRule(end)}`;
}

function minutesOf(text: string): number {
  const [hours = '0', minutes = '0'] = text.replace(/^[+-]/u, '').split(':');
  const whole = Number(hours) * 60 + Number(minutes);
  return text.startsWith('-') ? -whole : whole;
}

function writeMinutes(minutes: number): string {
  const whole = Math.abs(minutes);
  const rest = whole % 60 === 0 ? '' : `:${String(whole % 60).padStart(2, '0')}`;
  return `${minutes < 0 ? '-' : ''}${Math.floor(whole / 60)}${rest}`;
}

function readRule(text: string | undefined): YearlyRule | null {
  const match = RULE.exec(text ?? '');
  if (match === null) return null;
  const [, month, week, weekday, hour, minute] = match;
  const rule = {
    month: Number(month),
    week: Number(week),
    weekday: Number(weekday),
    minute: hour === undefined ? USUAL_MINUTE : Number(hour) * 60 + Number(minute ?? '0'),
  };
  const isGood = rule.month >= 1 && rule.month <= 12 && rule.week >= 1 && rule.week <= 5 && rule.weekday <= 6;
  return isGood ? rule : null;
}

function writeRule({ month, week, weekday, minute }: YearlyRule): string {
  return `M${month}.${week}.${weekday}/${writeMinutes(minute)}`;
}
