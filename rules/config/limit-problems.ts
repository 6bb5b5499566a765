// Checks a section's value against the limits of the device: field path → problem, for the form and the site.
import type { Field, Fields, WeekTimes } from '@vedette/contract/config/fields.ts';
import { HOLIDAY_ROW } from '@vedette/contract/limits.ts';
import type { FieldProblem } from '../validation/field-problem.ts';
import { lengthOf } from '@vedette/contract/text-length.ts';

type Limits = Readonly<Record<string, unknown>>;
type Values = Readonly<Record<string, unknown>>;
type Problems = Record<string, FieldProblem>;

export interface ListLimits {
  readonly most: number;
  readonly isFixed: boolean;
  readonly item: Limits;
  readonly byKey?: Readonly<Record<string, Limits>> | undefined;
}

/** Limits of one row of a list: of its variant, its own, or those of every row. */
export function limitsOfRow(limits: ListLimits, row: Values, variant: string | undefined): Limits {
  const id = String(row['id'] ?? '');
  const word = variant === undefined ? '' : ` ${String(row[variant] ?? '')}`;
  return limits.byKey?.[id + word] ?? limits.byKey?.[id] ?? limits.item;
}

/** `held`: what the device has now. Giving that back is no problem, though its own limits say otherwise. */
export function limitProblems(fields: Fields, value: Values, limits: Limits, held: Values = {}): Problems {
  const problems: Problems = {};
  for (const [name, given] of Object.entries(value)) {
    const field = fields[name];
    if (field === undefined || !isSettable(field, given)) continue;
    if (isHeld(given, held[name])) continue;
    const own = limits[name];
    if (own === undefined) problems[name] = 'notAllowed';
    else if (field.kind === 'list')
      Object.assign(problems, listProblems({ name, field, given, limits: own as ListLimits, held: held[name] }));
    else {
      const problem = plainProblems[field.kind]?.(given as never, own as AnyLimits) ?? null;
      if (problem !== null) problems[name] = problem;
    }
  }
  return problems;
}

interface GivenList {
  readonly name: string;
  readonly field: Extract<Field, { kind: 'list' }>;
  readonly given: unknown;
  readonly limits: ListLimits;
  readonly held: unknown;
}

function listProblems({ name, field, given, limits, held }: GivenList): Problems {
  const rows = given as readonly Values[];
  const heldRows = new Map(((held ?? []) as readonly Values[]).map((row) => [row['id'], row]));
  if (rows.length > limits.most) return { [name]: 'tooBig' };
  return Object.fromEntries(
    rows.flatMap((row, at) => {
      const { id, ...rest } = row;
      const found = limitProblems(field.fields, rest, limitsOfRow(limits, row, field.variant), heldRows.get(id));
      return Object.entries(found).map(([inner, problem]) => [`${name}.${at}.${inner}`, problem]);
    }),
  );
}

function isSettable({ readOnly }: Field, given: unknown): boolean {
  return readOnly !== true && given !== undefined;
}

function isHeld(given: unknown, held: unknown): boolean {
  return held !== undefined && differences(given, held).length === 0;
}

interface AnyLimits {
  readonly min: number;
  readonly max: number;
  readonly most: number;
  readonly options: readonly string[];
  readonly columns: number;
  readonly rows: number;
  readonly hasHoliday: boolean;
}

type PlainProblem = (given: never, limits: AnyLimits) => FieldProblem | null;

/** By kind of field; a kind that is missing here has no limits. */
const plainProblems: Readonly<Partial<Record<Field['kind'], PlainProblem>>> = {
  range: rangeProblem,
  choice: (given: string, { options }) => (options.includes(given) ? null : 'notAllowed'),
  text: (given: string, { most }) => (lengthOf(given) > most ? 'tooLong' : null),
  polygon: (given: readonly unknown[], { most }) => (given.length > most ? 'tooBig' : null),
  grid: (given: Pick<AnyLimits, 'columns' | 'rows'>, { columns, rows }) =>
    given.columns === columns && given.rows === rows ? null : 'format',
  week: weekProblem,
  several: (given: readonly string[], { options }) =>
    given.every((word) => options.includes(word)) ? null : 'notAllowed',
};

function rangeProblem(given: number, { min, max }: AnyLimits): FieldProblem | null {
  if (given < min) return 'tooSmall';
  return given > max ? 'tooBig' : null;
}

function weekProblem(week: WeekTimes, { most, hasHoliday }: AnyLimits): FieldProblem | null {
  if (week.some(({ day }) => day === HOLIDAY_ROW && !hasHoliday)) return 'notAllowed';
  if (new Set(week.map(({ day }) => day)).size !== week.length) return 'notAllowed';
  if (week.some(({ entryList }) => entryList.length > most)) return 'tooBig';
  const doOverlap = week.some(({ entryList }) =>
    [...entryList]
      .sort((a, b) => (a.StartTime < b.StartTime ? -1 : 1))
      .some(({ StartTime }, at, sorted) => at > 0 && StartTime < (sorted[at - 1]?.EndTime ?? '')),
  );
  return doOverlap ? 'notAllowed' : null;
}

/** Paths at which two values differ; what only `held` has was not asked for. */
export function differences(asked: unknown, held: unknown, path = ''): string[] {
  if (Array.isArray(asked) && Array.isArray(held)) {
    if (asked.length !== held.length) return [path];
    return asked.flatMap((one, at) => differences(one, held[at], `${path}.${at}`));
  }
  if (isRecord(asked) && isRecord(held)) {
    return Object.entries(asked).flatMap(([name, one]) =>
      // A new row has no id yet.
      one === undefined || (name === 'id' && one === '')
        ? []
        : differences(one, held[name], path === '' ? name : `${path}.${name}`),
    );
  }
  if (typeof asked === 'number' && typeof held === 'number') return Math.abs(asked - held) > 0.01 ? [path] : [];
  return asked === held ? [] : [path];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
