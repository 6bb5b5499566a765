// Names of the painter's rows in the current language, Sunday first and the holiday last.
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { HOLIDAY_ROW } from '@vedette/contract/limits.ts';
import { PLAN_DAYS } from '@vedette/rules/time-plan/week-plan.ts';
import { useMemo } from 'react';
import { useT } from '../../language/use-t.ts';

/** A Monday. */
const MONDAY = Date.UTC(2026, 0, 5);

export function useDayNames(length: 'short' | 'long'): readonly string[] {
  const t = useT();
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(t.shown, { weekday: length, timeZone: 'UTC' });
    return PLAN_DAYS.map((day) =>
      day === HOLIDAY_ROW ? t('timePlan.holiday') : format.format(MONDAY + (day - 1) * DAY_MS),
    );
  }, [t, length]);
}
