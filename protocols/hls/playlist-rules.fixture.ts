// Judges a media playlist of Low-Latency HLS by the rules of RFC 8216bis that can be told from its text.

/** What a rule says of it; empty: it keeps them all. */
export function brokenRules(text: string): string[] {
  const lines = text.split('\n').filter((line) => line !== '');
  const broken: string[] = [];
  const check = (isKept: boolean, rule: string): void => {
    if (!isKept) broken.push(rule);
  };
  const one = (tag: string): string | null => {
    const found = lines.filter((line) => line.startsWith(`#${tag}:`));
    check(found.length <= 1, `4.4: ${tag} stands once`);
    return found[0]?.slice(tag.length + 2) ?? null;
  };
  check(lines[0] === '#EXTM3U', '4.4.1.1: EXTM3U is the first line');
  const target = Number(one('EXT-X-TARGETDURATION') ?? Number.NaN);
  check(Number.isInteger(target) && target > 0, '4.4.3.1: TARGETDURATION is a whole number');
  check(/^\d+$/u.test(one('EXT-X-MEDIA-SEQUENCE') ?? ''), '4.4.3.2: MEDIA-SEQUENCE is a number');
  const control = attributes(one('EXT-X-SERVER-CONTROL') ?? '');
  const partTarget = Number(attributes(one('EXT-X-PART-INF') ?? '')['PART-TARGET']);
  const skipped = one('EXT-X-SKIP');
  const version = Number(one('EXT-X-VERSION'));
  check(skipped === null || version >= 9, '8: EXT-X-SKIP needs version 9');
  check(version >= 6, '8: EXT-X-MAP needs version 6');
  check(control['CAN-BLOCK-RELOAD'] === 'YES', '4.4.3.8: low latency blocks reloads');
  check(Number(control['PART-HOLD-BACK']) >= 2 * partTarget, '4.4.3.8: PART-HOLD-BACK is two part targets at least');
  check(
    Number(control['HOLD-BACK'] ?? 3 * target) >= 3 * target,
    '4.4.3.8: HOLD-BACK is three target durations at least',
  );
  check(
    Number(control['CAN-SKIP-UNTIL'] ?? 6 * target) >= 6 * target,
    '4.4.3.8: CAN-SKIP-UNTIL is six target durations',
  );
  checkSegments(lines, { target, partTarget, isDelta: skipped !== null }, check);
  return broken;
}

interface Limits {
  readonly target: number;
  readonly partTarget: number;
  readonly isDelta: boolean;
}

type Check = (isKept: boolean, rule: string) => void;

/** Least of a part that is not the last of its segment (4.4.4.9). */
const PART_LEAST = 0.85;
/** Durations are written with five digits. */
const ROUNDED = 0.00002;

function checkSegments(lines: readonly string[], limits: Limits, check: Check): void {
  let listed: string[] = [];
  let hasMap = limits.isDelta;
  const uris: string[] = [];
  for (const line of lines) {
    if (line.startsWith('#EXT-X-MAP:')) hasMap = true;
    else if (line.startsWith('#EXT-X-PART:') || line.startsWith('#EXTINF:')) listed.push(line);
    else if (!line.startsWith('#')) {
      check(hasMap, '4.4.4.5: EXT-X-MAP stands before what needs it');
      uris.push(line, ...checkSegment(listed, limits, check));
      listed = [];
    }
  }
  // Of the segment that is not whole yet.
  check(hasMap || listed.length === 0, '4.4.4.5: EXT-X-MAP stands before what needs it');
  uris.push(...checkSegment(listed, limits, check));
  const hint = attributes(lines.find((line) => line.startsWith('#EXT-X-PRELOAD-HINT:')) ?? '');
  check(hint['TYPE'] === 'PART' && !uris.includes(hint['URI'] ?? ''), '4.4.5.3: the hint is of a part to come');
  check(new Set(uris).size === uris.length, '6.2.1: no two files have one address');
}

/** @returns addresses of its parts */
function checkSegment(listed: readonly string[], { target, partTarget }: Limits, check: Check): string[] {
  const parts = listed.filter((line) => line.startsWith('#EXT-X-PART:')).map(attributes);
  const lengths = parts.map(({ DURATION }) => Number(DURATION));
  const whole = listed.find((line) => line.startsWith('#EXTINF:'));
  if (whole !== undefined) {
    const duration = Number.parseFloat(whole.slice('#EXTINF:'.length));
    const sum = lengths.reduce((total, part) => total + part, 0);
    const isSum = parts.length === 0 || Math.abs(sum - duration) < ROUNDED * parts.length;
    check(Math.round(duration) <= target, '4.4.3.1: a segment is TARGETDURATION at most');
    check(isSum, '4.4.4.9: parts make up their segment');
  }
  const inside = whole === undefined ? lengths : lengths.slice(0, -1);
  const isLongEnough = inside.every((one) => one >= PART_LEAST * partTarget - ROUNDED);
  check(
    lengths.every((one) => one <= partTarget + ROUNDED),
    '4.4.3.7: no part is longer than PART-TARGET',
  );
  check(isLongEnough, '4.4.4.9: a part is 85 % of PART-TARGET');
  return parts.map(({ URI = '' }) => URI);
}

function attributes(text: string): Record<string, string> {
  const pairs = text.matchAll(/([A-Z0-9-]+)=(?:"([^"]*)"|([^",]*))/gu);
  return Object.fromEntries([...pairs].map(([, name = '', quoted, plain]) => [name, quoted ?? plain ?? '']));
}
