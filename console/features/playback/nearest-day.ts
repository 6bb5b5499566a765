// Finds the recorded day that is nearest to another one.
import { addDays, type CalendarDay } from '../calendar/zone-time.ts';

/** Flags of one month, 31 of them. */
export type AskMonth = (year: number, month: number) => Promise<readonly number[]>;

/** Recordings older than this are not looked for. */
const MOST_DAYS = 400;

/** Earlier wins where two are as near; null where nothing is recorded within a year or so. */
export async function nearestDay(day: CalendarDay, ask: AskMonth): Promise<CalendarDay | null> {
  const months = new Map<string, Promise<readonly number[]>>();
  const isRecorded = async ({ year, month, day: no }: CalendarDay): Promise<boolean> => {
    const key = `${year}-${month}`;
    const flags = months.get(key) ?? ask(year, month);
    months.set(key, flags);
    return (await flags)[no - 1] === 1;
  };
  for (let distance = 1; distance <= MOST_DAYS; distance++) {
    for (const near of [addDays(day, -distance), addDays(day, distance)]) {
      if (await isRecorded(near)) return near;
    }
  }
  return null;
}
