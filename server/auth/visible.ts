// The SQL form of rules/decide: conditions that every list, count and search puts on organisations, devices and channels.
import type { Permission } from '@vedette/contract/permissions.ts';
import { canOwn, isLive } from '@vedette/rules/decide/decide.ts';
import type { Grant } from '@vedette/rules/decide/rights.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Rights } from './rights.ts';

/** Condition on `device` joined with its `organization` (left join); null action asks for any right, channel shares included. */
export function visibleDevices(rights: Rights, action: Permission | null): RawBuilder<SqlBool> {
  const conditions = ownersOf(rights, action).flatMap(({ ownerId, grants }) => [
    ...wideConditions(ownerId, grants),
    ...(action === null ? deviceIdCondition(ownerId, grants, 'channel') : []),
  ]);
  return anyOf([...ownCondition(rights, 'device'), ...conditions]);
}

/** Condition on `channel` joined with its `device` and that one's `organization`. */
export function visibleChannels(rights: Rights, action: Permission | null): RawBuilder<SqlBool> {
  const conditions = ownersOf(rights, action).flatMap(({ ownerId, grants }) => [
    ...wideConditions(ownerId, grants),
    ...channelConditions(ownerId, grants),
  ]);
  return anyOf([...ownCondition(rights, 'device'), ...conditions]);
}

/** Condition on `organization`. */
export function visibleOrganizations(rights: Rights, action: Permission | null): RawBuilder<SqlBool> {
  const conditions = ownersOf(rights, action).flatMap(({ ownerId, grants }) => {
    const ids = organizationIds(grants);
    return ids.length === 0
      ? []
      : [sql<SqlBool>`(organization.owner_id = ${ownerId} and organization.path && ${ids}::text[])`];
  });
  return anyOf([...ownCondition(rights, 'organization'), ...conditions]);
}

/** Live grants with the action, by the owner of what they open: a grant counts only while that owner still owns it. */
function ownersOf(rights: Rights, action: Permission | null): { ownerId: string; grants: Grant[] }[] {
  const able = rights.grants.filter(
    (grant) =>
      isLive(grant, rights.now) &&
      (action === null ? grant.permissions.length > 0 : grant.permissions.includes(action)),
  );
  const byOwner = Map.groupBy(able, (grant) => grant.ownerId);
  return [...byOwner].map(([ownerId, grants]) => ({ ownerId, grants }));
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
