// Effective rights of re-shares: each link narrows rights, time and scope, and the first must come from the owner.
import type { Grant, GrantScope } from './rights.ts';

/** One stored grant. `giverId` is the owner, or an account that received the object itself. */
export interface GrantLink extends Grant {
  readonly giverId: string;
  /** Whether the giver must hold the right to share on: false for what was passed on before that right existed. */
  readonly needsReshare: boolean;
}

/** Longer chains open nothing. */
export const SHARE_CHAIN_MAX = 8;
/** Of one account, and links compared for it: what goes beyond opens nothing, so that sharing in circles makes no request slow. */
const GRANTS_MAX = 1000;
const COMPARED_MAX = 20_000;

/** `links` hold the grants of the account and of everybody above it. */
export function boundGrants<L extends GrantLink>(accountId: string, links: readonly L[]): L[] {
  const received = Map.groupBy(links, (link) => link.granteeId);
  const known = new Map<string, L[]>();
  let compared = 0;
  const openedTo = (grantee: string, depth: number): L[] => {
    const key = `${depth} ${grantee}`;
    const held = known.get(key);
    if (held !== undefined) return held;
    const opened = withoutDoubles(
      (received.get(grantee) ?? []).flatMap((link) => {
        if (isFromOwner(link)) return [link];
        if (depth === 0) return [];
        return openedTo(link.giverId, depth - 1).flatMap((above) => {
          compared += 1;
          return compared > COMPARED_MAX ? [] : (narrow(link, above) ?? []);
        });
      }),
    ).slice(0, GRANTS_MAX);
    known.set(key, opened);
    return opened;
  };
  return openedTo(accountId, SHARE_CHAIN_MAX - 1);
}

export function isFromOwner(link: GrantLink): boolean {
  return link.source === 'role' || link.giverId === link.ownerId;
}

/** The link as far as the one above it reaches; null where they have nothing in common. */
function narrow<L extends GrantLink>(link: L, above: L): L | null {
  if (link.needsReshare && !above.permissions.includes('Reshare')) return null;
  return commonGrant(link, above);
}

/** What both grants open, as the first; null where they have nothing in common. */
export function commonGrant<G extends Grant>(link: G, above: Grant): G | null {
  if (link.ownerId !== above.ownerId) return null;
  const place = commonScope(link, above);
  const permissions = link.permissions.filter((permission) => above.permissions.includes(permission));
  if (place === null || (permissions.length === 0 && above.showsObject !== true)) return null;
  return {
    ...link,
    ...place,
    permissions,
    startTime: laterOf(link.startTime, above.startTime),
    endTime: earlierOf(link.endTime, above.endTime),
    windows: [...(link.windows ?? []), ...(above.windows ?? [])],
    ...(above.showsObject === true && { showsObject: true }),
  };
}

function commonScope(link: Grant, above: Grant): { scope: GrantScope; within: readonly string[] } | null {
  const within = [...new Set([...(link.within ?? []), ...(above.within ?? [])])];
  const [one, other] = [link.scope, above.scope];
  if (other.kind === 'organization') return { scope: one, within: [...within, other.organizationId] };
  if (one.kind === 'organization') return { scope: other, within: [...within, one.organizationId] };
  if (one.deviceId !== other.deviceId) return null;
  if (one.kind === 'device') return { scope: other, within };
  if (other.kind === 'device') return { scope: one, within };
  return one.channelNo === other.channelNo ? { scope: one, within } : null;
}

function laterOf(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}

function earlierOf(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

/** Two ways to the same thing by the same share are one. */
function withoutDoubles<L extends GrantLink>(links: readonly L[]): L[] {
  const key = ({ grantId, scope, within, permissions, startTime, endTime, windows }: L) =>
    JSON.stringify([grantId, scope, within?.toSorted(), permissions, startTime, endTime, windows?.length ?? 0]);
  const windowed = links.filter(({ windows }) => (windows?.length ?? 0) > 0);
  const plain = links.filter(({ windows }) => (windows?.length ?? 0) === 0);
  return [...new Map(plain.map((link) => [key(link), link])).values(), ...windowed];
}
