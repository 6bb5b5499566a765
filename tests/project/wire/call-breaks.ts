// What programs of others would notice as broken between two states of the calls, each as the lines of call-lines.ts.
// Taking may only grow wider, answering only richer: a newer server serves every program written for an older one.

interface Field {
  readonly isInput: boolean;
  /** The field or structure around it; null for a whole input or output. */
  readonly around: string | null;
  readonly isRequired: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

interface State {
  /** Permission of each call as JSON, by path. */
  readonly calls: ReadonlyMap<string, string>;
  /** By place, such as `device/list > keyWord`. */
  readonly fields: ReadonlyMap<string, Field>;
}

/** Sentences without a full stop, such as "`device/list > keyWord` is gone"; none for what only grew. */
export function breaksBetween(before: readonly string[], after: readonly string[]): readonly string[] {
  const [old, now] = [readState(before), readState(after)];
  return [...callBreaks(old, now), ...fieldBreaks(old, now), ...newDemands(old, now)];
}

/** Those that no line of `accepted` names; a line is the sentence, a colon and why. */
export function unaccepted(breaks: readonly string[], accepted: string): readonly string[] {
  const lines = accepted.split('\n');
  return breaks.filter((one) => !lines.some((line) => line.startsWith(`- ${one}: `) && line.length > one.length + 12));
}

/** The sections of later major versions than `version`: what is accepted for those. */
export function laterMajors(text: string, version: string): string {
  const sections = text.split(/^## /mu).slice(1);
  return sections.filter((section) => Number.parseInt(section, 10) > Number.parseInt(version, 10)).join('\n');
}

function readState(lines: readonly string[]): State {
  const calls = new Map<string, string>();
  const fields = new Map<string, Field>();
  for (const line of lines.filter((one) => one !== '')) {
    const [label, schema] = splitLine(line);
    const [path = '', direction, ...segments] = label.split(' ');
    if (direction === undefined) calls.set(path, JSON.stringify(schema['permission']));
    else fields.set(placeOf(path, direction, segments), fieldOf(path, direction, segments, schema));
  }
  return { calls, fields };
}

/** A label holds no quotation mark, so that the JSON begins with the first brace that has one, or is empty. */
function splitLine(line: string): [label: string, schema: Readonly<Record<string, unknown>>] {
  const at = line.includes(' {"') ? line.indexOf(' {"') : line.length - ' {}'.length;
  return [line.slice(0, at), JSON.parse(line.slice(at)) as Readonly<Record<string, unknown>>];
}

function placeOf(path: string, direction: string, segments: readonly string[]): string {
  return [path, direction, ...segments.map((segment) => segment.replace(/\?$/u, ''))].join(' ');
}

function fieldOf(path: string, direction: string, segments: readonly string[], schema: Field['schema']): Field {
  const last = segments.at(-1);
  const isNamed = last !== undefined && /^\w+$/u.test(last);
  const around = last === undefined ? null : placeOf(path, direction, segments.slice(0, -1));
  return { isInput: direction === '>', around, isRequired: isNamed, schema };
}

function callBreaks(old: State, now: State): string[] {
  return [...old.calls].flatMap(([path, permission]) => {
    if (!now.calls.has(path)) return [`\`${path}\` is gone`];
    return now.calls.get(path) === permission ? [] : [`\`${path}\` needs another permission`];
  });
}

function fieldBreaks(old: State, now: State): string[] {
  return [...old.fields].flatMap(([place, before]) => {
    if (!now.calls.has(place.split(' ')[0] ?? '')) return [];
    const after = now.fields.get(place);
    if (after === undefined) {
      // Its surroundings are named already.
      return before.around !== null && !now.fields.has(before.around) ? [] : [`\`${place}\` is gone`];
    }
    const [from, to] = before.isInput ? [before, after] : [after, before];
    const demand = before.isInput ? 'is required now' : 'may be missing now';
    return [
      ...(!from.isRequired && to.isRequired ? [`\`${place}\` ${demand}`] : []),
      ...(isNarrowed(before, after) ? [`\`${place}\` takes another shape`] : []),
    ];
  });
}

function newDemands(old: State, now: State): string[] {
  return [...now.fields].flatMap(([place, { isInput, isRequired, around }]) =>
    isInput && isRequired && !old.fields.has(place) && old.fields.has(around ?? '')
      ? [`\`${place}\` is required now`]
      : [],
  );
}

function isNarrowed({ isInput, schema: before }: Field, { schema: after }: Field): boolean {
  const lost = (name: string): boolean => !isSame(before[name], after[name]);
  if (enumLost(before['enum'], after['enum'], isInput) || lost('const')) return true;
  if (!isInput) return !isWithin(after['type'], before['type']);
  if (!isWithin(before['type'], after['type'])) return true;
  if (['pattern', 'format'].some((name) => after[name] !== undefined && lost(name))) return true;
  if (after['additionalProperties'] === false && before['additionalProperties'] !== false) return true;
  return LIMITS.some(([name, sign]) => isTighter(before[name], after[name], sign));
}

/** Each limit with 1 where a greater one is tighter, −1 where a smaller one is. */
const LIMITS = [
  ['minimum', 1],
  ['exclusiveMinimum', 1],
  ['minLength', 1],
  ['minItems', 1],
  ['maximum', -1],
  ['exclusiveMaximum', -1],
  ['maxLength', -1],
  ['maxItems', -1],
] as const;

function isTighter(before: unknown, after: unknown, sign: 1 | -1): boolean {
  if (typeof after !== 'number') return false;
  return typeof before !== 'number' || (after - before) * sign > 0;
}

/** Whether every value of the types `inner` is one of `outer`; undefined stands for any type, and numbers hold the whole ones. */
function isWithin(inner: unknown, outer: unknown): boolean {
  if (outer === undefined) return true;
  const allowed = [outer].flat();
  if (allowed.includes('number')) allowed.push('integer');
  return inner !== undefined && [inner].flat().every((type) => allowed.includes(type));
}

function enumLost(before: unknown, after: unknown, isInput: boolean): boolean {
  if (!Array.isArray(before)) return isInput && Array.isArray(after);
  return Array.isArray(after) ? before.some((value) => !after.includes(value)) : !isInput;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
