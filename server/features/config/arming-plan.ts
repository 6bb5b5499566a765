// Weekly arming plan for cameras without one: stored here, shown as a field of the section, with its part of the version.
import { createHash } from 'node:crypto';
import type { WeekTimes } from '@vedette/contract/config/fields.ts';
import type { SectionName } from '@vedette/contract/config/section-names.ts';
import { ALL_DAY, TIME_PLAN_SEGMENTS_PER_DAY, WEEK_DAYS } from '@vedette/contract/limits.ts';
import type { SiteConfigState } from '@vedette/contract/site/site-config.ts';
import { limitProblems } from '@vedette/rules/config/limit-problems.ts';
import { week } from '@vedette/contract/config/fields.ts';
import { CallError } from '../../core/call-error.ts';
import type { FieldProblem } from '@vedette/rules/validation/field-problem.ts';
import { armingPlansOf, storeArmingPlan } from '../../database/device/arming.queries.ts';
import type { Database } from '../../database/connection.ts';

export interface ArmingTarget {
  readonly deviceId: string;
  readonly channelNo: number;
  readonly section: SectionName;
}

const ARMED_SECTIONS: ReadonlySet<SectionName> = new Set(['motion', 'humanShape']);
const LIMITS = { most: TIME_PLAN_SEGMENTS_PER_DAY, hasHoliday: false } as const;
/** Separates the device's version from the plan's. */
const SEAM = '.plan-';

export const ALWAYS: WeekTimes = WEEK_DAYS.map((day) => ({
  day,
  entryList: [{ StartTime: ALL_DAY.startFull, EndTime: ALL_DAY.endFull }],
}));

/** Adds the plan if the section may have one and the device has none. */
export async function withArmingPlan(
  database: Database,
  place: ArmingTarget,
  state: SiteConfigState,
): Promise<SiteConfigState> {
  if (!ARMED_SECTIONS.has(place.section) || 'plan' in state.capabilities) return state;
  const plan = await storedPlan(database, place);
  return {
    ...state,
    value: { ...state.value, plan },
    capabilities: { ...state.capabilities, plan: LIMITS },
    version: `${state.version}${SEAM}${hashOf(plan)}`,
  };
}

export interface ArmingChange {
  /** The device's part. */
  readonly version: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** Null if the plan is the device's, or unchanged. */
  readonly plan: WeekTimes | null;
  readonly isStale: boolean;
}

/** Separates the device's values from our plan. Throws 1003 for an invalid plan. */
export async function splitArmingPlan(
  database: Database,
  place: ArmingTarget,
  input: { readonly version: string; readonly value: Readonly<Record<string, unknown>> },
): Promise<ArmingChange> {
  const at = input.version.indexOf(SEAM);
  if (at < 0) return { ...input, plan: null, isStale: false };
  const { plan, ...value } = input.value as { plan?: WeekTimes };
  const [problem] = Object.values(limitProblems({ plan: week() }, { plan }, { plan: LIMITS })) as FieldProblem[];
  if (problem !== undefined) throw new CallError('paramInvalid', { 'value.plan': problem });
  const isStale = input.version.slice(at + SEAM.length) !== hashOf(await storedPlan(database, place));
  return { version: input.version.slice(0, at), value, plan: plan ?? null, isStale };
}

export async function saveArmingPlan(database: Database, place: ArmingTarget, plan: WeekTimes): Promise<void> {
  await storeArmingPlan(database, place, plan);
}

async function storedPlan(database: Database, { deviceId, channelNo, section }: ArmingTarget): Promise<WeekTimes> {
  const rows = await armingPlansOf(database, [deviceId]);
  return rows.find((row) => row.channelNo === channelNo && row.section === section)?.plan ?? ALWAYS;
}

function hashOf(plan: WeekTimes): string {
  const days = plan
    .toSorted((a, b) => a.day - b.day)
    .map(({ day, entryList }) => [day, entryList.map(({ StartTime, EndTime }) => [StartTime, EndTime])]);
  return createHash('sha256').update(JSON.stringify(days)).digest('hex').slice(0, 12);
}
