// Key by which addresses are counted: IPv4 whole, IPv6 by its /64, since one client has all of a /64.

const GROUP_FORM = /^[0-9a-f]{1,4}$/;
const DOTTED_FORM = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;
/** Longer than any address with its zone. */
const TEXT_MAX = 64;

/** What is no address (`local`) counts as the word that it is. */
export function addressKey(given: string): string {
  const text = given.slice(0, TEXT_MAX).replace(/%.*$/s, '').trim().toLowerCase();
  if (!text.includes(':')) return text;
  const groups = groupsOf(text);
  if (groups === null) return text;
  const embedded = embeddedIpv4(groups);
  if (embedded !== null) return embedded;
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight groups of an IPv6 address (RFC 4291 2.2). */
function groupsOf(text: string): number[] | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const [before = [], after] = halves.map((half) => (half === '' ? [] : half.split(':').flatMap(groupsOfPart)));
  const groups = [...before, ...(after ?? [])];
  if (groups.includes(Number.NaN)) return null;
  if (after === undefined) return groups.length === 8 ? groups : null;
  return groups.length > 7 ? null : [...before, ...new Array<number>(8 - groups.length).fill(0), ...after];
}

function groupsOfPart(part: string): number[] {
  if (GROUP_FORM.test(part)) return [Number.parseInt(part, 16)];
  const bytes = DOTTED_FORM.exec(part)?.slice(1).map(Number) ?? [];
  const [a = 256, b = 256, c = 256, d = 256] = bytes;
  return Math.max(a, b, c, d) > 255 ? [Number.NaN] : [a * 256 + b, c * 256 + d];
}

/** IPv4 clients of a dual-stack socket (RFC 4291 2.5.5.2) and of a translator before us (RFC 6052 2.1). */
function embeddedIpv4(groups: readonly number[]): string | null {
  const prefix = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(':');
  if (prefix !== '0:0:0:0:0:ffff' && prefix !== '64:ff9b:0:0:0:0') return null;
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
