// Handlers of recorder groups, for the operator: list, save, dissolve, and the return of cameras.
import type { RecorderGroup, RecorderMember } from '@vedette/contract/calls/recorder-group.ts';
import type { CallParsed } from '@vedette/contract/calls/calls.ts';
import { RECORDER_GROUP_LIMITS } from '@vedette/contract/limits.ts';
import { isHeard } from '@vedette/rules/recorder-group/take-over.ts';
import { CallError, requireFound } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import {
  allGroups,
  type AwayRow,
  deleteGroup,
  devicesAway,
  type MemberWithDevices,
  membersWithDevices,
  storeGroup,
} from '../../database/device/recorder-group.queries.ts';
import { allSites } from '../../database/device/site.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import type { DeviceFailback } from '../../site-link/device-failback.ts';
import type { Sites } from '../../site-link/sites.ts';

export interface RecorderGroupDeps {
  readonly database: Database;
  readonly site: Pick<Sites, 'linkOf' | 'at'>;
  readonly deviceFailback: Pick<DeviceFailback, 'bring'>;
}

type GroupPath = 'site/group/list' | 'site/group/save' | 'site/group/delete' | 'site/group/return';

export function recorderGroupHandlers(deps: RecorderGroupDeps): Handlers<GroupPath> {
  const { database } = deps;
  return {
    'site/group/list': async () => {
      const groupList = await readGroups(deps);
      return { total: groupList.length, groupList };
    },
    'site/group/save': async ({ input, now, audit }) => {
      const groupId = input.groupId ?? newId();
      audit.object = `groupId=${groupId}`;
      await save(deps, groupId, input, now);
      return { group: await readGroup(deps, groupId) };
    },
    'site/group/delete': async ({ input, audit }) => {
      audit.object = `groupId=${input.groupId}`;
      if (!(await deleteGroup(database, input.groupId))) throw new CallError('notFound');
      return {};
    },
    'site/group/return': async ({ input: { siteId }, audit }) => {
      audit.object = `siteId=${siteId}`;
      const sites = await allSites(database);
      requireFound(
        sites.find((site) => site.site_id === siteId),
        'notFound',
      );
      if (!deps.site.at(siteId).isOnline()) throw new CallError('devResponseTimeOut', { reason: 'siteAway' });
      const away = (await devicesAway(database)).filter(({ homeSiteId }) => homeSiteId === siteId);
      const moves = away.map((row) => ({ deviceId: row.deviceId, from: row.siteId, to: siteId }));
      if (moves.length > 0) await deps.deviceFailback.bring(moves);
      return { deviceTotal: moves.length };
    },
  };
}

/** Throws 1007 for a site or group that is missing, 1010 with the newer group, 1011, and 1016 with the sites of other groups. */
async function save(
  deps: RecorderGroupDeps,
  groupId: string,
  input: CallParsed<'site/group/save'>,
  now: number,
): Promise<void> {
  const { database } = deps;
  const known = new Set((await allSites(database)).map((site) => site.site_id));
  if (input.memberList.some(({ siteId }) => !known.has(siteId))) throw new CallError('notFound');
  const groups = await allGroups(database);
  if (input.groupId === undefined && groups.length >= RECORDER_GROUP_LIMITS.groups)
    throw new CallError('quotaExceeded');
  if (input.groupId !== undefined && !groups.some((group) => group.group_id === groupId))
    throw new CallError('notFound');
  const members = await membersWithDevices(database);
  const taken = members.filter(
    (member) => member.group_id !== groupId && input.memberList.some(({ siteId }) => siteId === member.site_id),
  );
  if (taken.length > 0) throw new CallError('alreadyExists', { siteIds: taken.map((member) => member.site_id) });
  const { groupName, returnsByItself, memberList } = input;
  const group = { groupId, groupName, returnsByItself, createdAt: now, members: memberList };
  const isStored = await database
    .transaction()
    .execute((transaction) => storeGroup(transaction, group, input.version ?? null));
  if (!isStored) throw new CallError('stale', await readGroup(deps, groupId));
}

async function readGroup(deps: RecorderGroupDeps, groupId: string): Promise<RecorderGroup> {
  const groups = await readGroups(deps);
  return requireFound(
    groups.find((group) => group.groupId === groupId),
    'notFound',
  );
}

async function readGroups(deps: RecorderGroupDeps): Promise<RecorderGroup[]> {
  const { database } = deps;
  const [groups, members, away, sites] = await Promise.all([
    allGroups(database),
    membersWithDevices(database),
    devicesAway(database),
    allSites(database),
  ]);
  const names = new Map(sites.map((site) => [site.site_id, site.site_name]));
  const byGroup = Map.groupBy(members, (member) => member.group_id);
  return groups.map((group) => ({
    groupId: group.group_id,
    groupName: group.group_name,
    returnsByItself: group.returns_by_itself,
    version: group.version,
    memberList: (byGroup.get(group.group_id) ?? []).map((member) =>
      toMember(deps, member, awayFrom(member.site_id, away, names)),
    ),
  }));
}

function awayFrom(
  siteId: string,
  away: readonly AwayRow[],
  names: ReadonlyMap<string, string>,
): RecorderMember['awayList'] {
  const bySite = Map.groupBy(
    away.filter(({ homeSiteId }) => homeSiteId === siteId),
    (row) => row.siteId,
  );
  return [...bySite].map(([taker, rows]) => ({
    siteId: taker,
    siteName: names.get(taker) ?? '',
    cameraTotal: rows.reduce((sum, { cameras }) => sum + cameras, 0),
  }));
}

function toMember(
  { site }: RecorderGroupDeps,
  row: MemberWithDevices,
  awayList: RecorderMember['awayList'],
): RecorderMember {
  const link = site.linkOf(row.site_id);
  return {
    siteId: row.site_id,
    siteName: row.site_name,
    isSpare: row.is_spare,
    cameraMax: row.camera_max,
    state: awayList.length > 0 ? 'takenOver' : isHeard({ silentMs: link.silentMs() }) ? 'ready' : 'silent',
    isOnline: site.at(row.site_id).isOnline(),
    cameraTotal: row.devices.reduce((sum, { cameras }) => sum + cameras, 0),
    takenAt: row.taken_at,
    awayList,
    withoutRoom: row.without_room,
  };
}
