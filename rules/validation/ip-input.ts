// Behaviour of the address field of four segments (VA-10).
import type { FieldProblem } from './field-problem.ts';

export type IpSegments = readonly [string, string, string, string];
export const EMPTY_SEGMENTS: IpSegments = ['', '', '', ''];
const SEGMENT_LENGTH_MAX = 3;
const SEGMENT_VALUE_MAX = 255;

/** What a segment holds after typing: digits alone, at most three, larger values become 255. */
export function clampSegment(typed: string): string {
  const digits = typed.replace(/[^0-9]/g, '').slice(0, SEGMENT_LENGTH_MAX);
  return Number(digits) > SEGMENT_VALUE_MAX ? String(SEGMENT_VALUE_MAX) : digits;
}

/** Splits a pasted text on dots and fills from segment `from` on; what has no place is dropped. */
export function pasteSegments(segments: IpSegments, from: number, pasted: string): IpSegments {
  const parts = pasted.trim().split('.').map(clampSegment);
  const filled = segments.map((segment, index) => parts[index - from] ?? segment);
  return filled as unknown as IpSegments;
}

export function joinSegments(segments: IpSegments): string {
  return segments.every((segment) => segment === '') ? '' : segments.join('.');
}

export function ipProblem(segments: IpSegments): FieldProblem | null {
  if (segments.every((segment) => segment === '')) return 'required';
  return segments.every((segment) => segment !== '' && clampSegment(segment) === segment) ? null : 'format';
}
