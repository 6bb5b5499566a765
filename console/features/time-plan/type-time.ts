// Makes a whole time of day out of what people type: 8, 830, 8:30 and 24:00 are understood.
import { ALL_DAY } from '@vedette/contract/limits.ts';

/** HH:mm:ss where the text means one; else the text as it is, for the check to name. */
export function typeTime(text: string): string {
  const trimmed = text.trim().replaceAll('：', ':');
  const digits = /^(\d{1,2})(\d{2})?$/.exec(trimmed);
  const parts = digits ? [digits[1], digits[2] ?? '00'] : trimmed.split(':');
  if (parts.length > 3 || parts.some((part) => !/^\d{1,2}$/.test(part ?? ''))) return trimmed;
  const [hours = '', minutes = '00', seconds = '00'] = parts.map((part) => (part ?? '').padStart(2, '0'));
  if (hours === '24' && minutes === '00' && seconds === '00') return ALL_DAY.endFull;
  return `${hours}:${minutes}:${seconds}`;
}
