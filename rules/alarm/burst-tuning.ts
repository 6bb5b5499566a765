// Burst tuning: the camera section that detects a type, a lower sensitivity there, and a longer pause of a rule. Pure.
import type { RaisedAlarmType } from '@vedette/contract/alarm-types.ts';
import { ALARM_RULE_LIMITS } from '@vedette/contract/limits.ts';

export type DetectingSection = 'motion' | 'humanShape';

/** Alarm types by the section of configuration that detects them. */
export const TYPES_OF_SECTION: Readonly<Record<DetectingSection, readonly RaisedAlarmType[]>> = {
  motion: ['MotionAlarm', 'SmartMotionAlarm'],
  humanShape: ['HumanShapeDetect', 'PeoplePresent'],
};

/** Null for what no section of a camera decides. */
export function sectionDetecting(type: string): DetectingSection | null {
  const sections: readonly DetectingSection[] = ['motion', 'humanShape'];
  return sections.find((section) => TYPES_OF_SECTION[section].some((one) => one === type)) ?? null;
}

export interface Steps {
  readonly min: number;
  readonly max: number;
  readonly step?: number | undefined;
}

/** A fifth of the range less; null where nothing is left to take away. */
export function lowerSensitivity(now: number, { min, max, step = 1 }: Steps): number | null {
  const by = Math.max(step, (max - min) / 5);
  const wished = Math.max(min, now - by);
  const calmer = min + Math.floor((wished - min) / step) * step;
  // The least means that nothing is noticed any more on many cameras.
  return calmer < now && calmer > min ? calmer : null;
}

const PAUSES_S = [60, 300, 600, 1800, 3600].filter((pause) => pause <= ALARM_RULE_LIMITS.pauseS);
/** Once told, a flood needs no telling again for so long at least. */
const BURST_PAUSE_S = 300;

/** Seconds; null where the rule is as calm as it can be. */
export function longerPause(pauseS: number): number | null {
  return PAUSES_S.find((pause) => pause > pauseS && pause >= BURST_PAUSE_S) ?? null;
}
