// SQL conditions equal to rules/decide, for lists, counts and searches of organisations, devices and channels.
import type { Permission } from '@vedette/contract/permissions.ts';
import { canOwn, isLive, opensAnything } from '@vedette/rules/decide/decide.ts';
import type { Grant } from '@vedette/rules/decide/rights.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Rights } from './rights.ts';

/** Condition on `device` joined with its `organization` (left join); null action means any right, including channel shares. */
export function visibleDevices(rights: Rights, action: Permission | null): RawBuilder<SqlBool> {
  const conditions = ownersOf(rights, action).flatMap(({ ownerId, within, grants }) =>
    inPlace(within, [
      ...wideConditions(ownerId, grants),
      ...(action === null ? deviceIdCondition(ownerId, grants, 'channel') : []),
    ]),
  );
  return anyOf([...ownCondition(rights, 'device'), ...conditions]);
}

/** Condition on `channel` joined with its `device` and the device's `organization`. */
export function visibleChannels(rights: Rights, action: Permission | null): RawBuilder<SqlBool> {
  const conditions = ownersOf(rights, action).flatMap(({ ownerId, within, grants }) =>
    inPlace(within, [...wideConditions(ownerId, grants), ...channelConditions(ownerId, grants)]),
  );
  return anyOf([...ownCondition(rights, 'device'), ...conditions]);
}

/** Condition on `organization`. */
export function visibleOrganizations(rights: Rights, action: Permission | null): RawBuilder<SqlBool> {
  const conditions = ownersOf(rights, action).flatMap(({ ownerId, within, grants }) => {
    const ids = organizationIds(grants);
    if (ids.length === 0) return [];
    return inPlace(within, [
      sql<SqlBool>`(organization.owner_id = ${ownerId} and organization.path && ${ids}::text[])`,
    ]);
  });
  return anyOf([...ownCondition(rights, 'organization'), ...conditions]);
}

interface OwnedGrants {
  readonly ownerId: string;
  /** Organisations that must contain the object too. */
  readonly within: readonly string[];
  readonly grants: readonly Grant[];
}

/** Valid grants with the action, by owner and place: a grant counts only while that owner owns the object. */
function ownersOf(rights: Rights, action: Permission | null): OwnedGrants[] {
  const able = rights.grants.filter(
    (grant) =>
      isLive(grant, rights.now) && (action === null ? opensAnything(grant) : grant.permissions.includes(action)),
  );
  const alike = Map.groupBy(able, ({ ownerId, within }) => JSON.stringify([ownerId, within?.toSorted() ?? []]));
  return [...alike.values()].flatMap((grants) => {
    const [first] = grants;
    return first === undefined ? [] : [{ ownerId: first.ownerId, within: first.within ?? [], grants }];
  });
}

function inPlace(within: readonly string[], conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool>[] {
  if (within.length === 0 || conditions.length === 0) return [...conditions];
  return [sql<SqlBool>`(organization.path @> ${within}::text[] and ${anyOf(conditions)})`];
}

function ownCondition(rights: Rights, table: 'device' | 'organization'): RawBuilder<SqlBool>[] {
  if (!canOwn(rights.subject)) return [];
  return [sql<SqlBool>`${sql.ref(`${table}.owner_id`)} = ${rights.subject.userId}`];
}

function wideConditions(ownerId: string, grants: readonly Grant[]): RawBuilder<SqlBool>[] {
  const organizations = organizationIds(grants);
  const conditions = deviceIdCondition(ownerId, grants, 'device');
  if (organizations.length > 0) {
    conditions.push(sql<SqlBool>`(device.owner_id = ${ownerId} and organization.path && ${organizations}::text[])`);
  }
  return conditions;
}

function deviceIdCondition(
  ownerId: string,
  grants: readonly Grant[],
  kind: 'device' | 'channel',
): RawBuilder<SqlBool>[] {
  const ids = grants.flatMap(({ scope }) => (scope.kind === kind ? [scope.deviceId] : []));
  return ids.length === 0 ? [] : [sql<SqlBool>`(device.owner_id = ${ownerId} and device.device_id = any(${ids}))`];
}

function channelConditions(ownerId: string, grants: readonly Grant[]): RawBuilder<SqlBool>[] {
  const scopes = grants.flatMap(({ scope }) => (scope.kind === 'channel' ? [scope] : []));
  return [...Map.groupBy(scopes, (scope) => scope.deviceId)].map(([deviceId, channels]) => {
    const numbers = channels.map((scope) => scope.channelNo);
    return sql<SqlBool>`(device.owner_id = ${ownerId} and device.device_id = ${deviceId} and channel.channel_no = any(${numbers}))`;
  });
}

function organizationIds(grants: readonly Grant[]): string[] {
  return grants.flatMap(({ scope }) => (scope.kind === 'organization' ? [scope.organizationId] : []));
}

function anyOf(conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  if (conditions.length === 0) return sql<SqlBool>`false`;
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}
