// Cache of compiled weekly hours of shares, since parsing a weekly plan costs more than the rest of a decision.
import { ShareWindow } from '@vedette/rules/decide/share-window.ts';
import type { StoredHours } from '../schema/share-schema.ts';

const KEPT_MAX = 1000;
const kept = new Map<string, ShareWindow>();

export function weeklyHoursOf(hours: StoredHours | null): readonly ShareWindow[] {
  if (hours === null) return [];
  const key = JSON.stringify(hours);
  const known = kept.get(key);
  if (known !== undefined) return [known];
  const oldest = kept.keys().next().value;
  if (kept.size >= KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  const window = new ShareWindow(hours);
  kept.set(key, window);
  return [window];
}
