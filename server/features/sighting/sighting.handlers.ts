// Handlers of the search for what edge intelligence saw, and of the pictures of what was found.
import type { CallParsed } from '@vedette/contract/calls/calls.ts';
import type { Sighting, sightingCalls } from '@vedette/contract/calls/sighting.ts';
import { OBJECT_CLASSES } from '@vedette/contract/enumerations.ts';
import { SIGHTING_TIMELINE } from '@vedette/contract/limits.ts';
import { decide } from '@vedette/rules/decide/decide.ts';
import type { Decision } from '@vedette/rules/decide/rights.ts';
import type { Rights } from '../../auth/rights.ts';
import { visibleChannels } from '../../auth/visibility-conditions.ts';
import { fieldError, requireFound } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import {
  findSightingPicture,
  findSightings,
  type FoundSighting,
  type SearchedChannel,
  searchedChannels,
  type SightingCursor,
} from '../../database/sighting/sighting-search.queries.ts';
import {
  findSightingPaths,
  findSightingRanges,
  type SightingRange,
} from '../../database/sighting/sighting-timeline.queries.ts';
import { type AuditPart, auditShareOf } from '../../http/audit-trail.ts';
import type { Handlers } from '../../http/handler.ts';

export interface SightingDeps {
  readonly database: Database;
}

type Picture = NonNullable<Awaited<ReturnType<typeof findSightingPicture>>>;

export function sightingHandlers({ database }: SightingDeps): Handlers<keyof typeof sightingCalls> {
  return {
    'ai/sighting/list': async ({ input, rights, isWeb }) => {
      const { startTime, endTime, zone, pageSize, devices, classList = OBJECT_CLASSES } = input;
      if (endTime <= startTime) throw fieldError({ endTime: 'tooSmall' });
      const after = cursorOf(input);
      const visible = visibleChannels(await rights(), 'Replay');
      const channels = await searchedChannels(database, { visible, devices, isWeb });
      const classes = [...new Set(classList)];
      const search = { channels, classes, startTime, endTime, zone, after, limit: pageSize + 1 };
      const found = await findSightings(database, search);
      const page = found.slice(0, pageSize);
      const byId = new Map(channels.map((channel) => [channel.channel_id, channel]));
      const last = page.at(-1);
      return {
        sightingList: page.flatMap((row) => sightingOf(row, byId.get(row.channel_id)) ?? []),
        next: last !== undefined && found.length > pageSize ? `${last.start_time}-${last.sighting_id}` : null,
      };
    },
    'ai/sighting/timeline': async ({ input, rights, isWeb }) => {
      const { startTime, endTime, mergeMs, channels: devices } = input;
      if (endTime <= startTime) throw fieldError({ endTime: 'tooSmall' });
      const visible = visibleChannels(await rights(), 'Replay');
      const channels = await searchedChannels(database, { visible, devices, isWeb });
      const least = Math.ceil((endTime - startTime) / SIGHTING_TIMELINE.parts);
      const asked = { channels, startTime, endTime, mergeMs: Math.max(mergeMs, least) };
      const byId = new Map(channels.map((channel) => [channel.channel_id, channel]));
      const rangeList = (await findSightingRanges(database, asked)).flatMap((row) => rangeOf(row, byId));
      return { rangeList };
    },
    'ai/sighting/path': async ({ input, rights, isWeb }) => {
      const { startTime, endTime, deviceSerial, channelNo } = input;
      if (endTime <= startTime) throw fieldError({ endTime: 'tooSmall' });
      const visible = visibleChannels(await rights(), 'Replay');
      const channels = await searchedChannels(database, { visible, devices: [{ deviceSerial, channelNo }], isWeb });
      requireFound(channels[0], 'devNotExist');
      const asked = { channels, startTime, endTime, limit: SIGHTING_TIMELINE.paths };
      return { pathList: (await findSightingPaths(database, asked)).map(pathOf) };
    },
    'ai/sighting/picture': async ({ input, rights, isWeb, audit }) => {
      const held = await rights();
      const sightingId = requireFound(idOf(input.sightingId), 'notFound');
      const visible = visibleChannels(held, 'Replay');
      const row = requireFound(await findSightingPicture(database, { visible, isWeb }, sightingId), 'notFound');
      if (row.picture === null) return { picture: null };
      const decision = replayDecision(held, row);
      // Owners viewing their own devices are not logged.
      if (decision.because.kind !== 'owner') audit.parts.push(await auditPartOf(database, row, decision));
      const data = row.picture.toString('base64');
      return { picture: { contentType: 'image/jpeg', data, time: row.best_time } };
    },
  };
}

const CURSOR = /^(\d{1,16})-(\d{1,16})$/;

function cursorOf({ cursor }: CallParsed<'ai/sighting/list'>): SightingCursor | null {
  if (cursor === undefined) return null;
  const [, time, id] = CURSOR.exec(cursor) ?? [];
  if (time === undefined || id === undefined) throw fieldError({ cursor: 'format' });
  return { startTime: Number(time), sightingId: Number(id) };
}

function idOf(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function sightingOf(row: FoundSighting, channel: SearchedChannel | undefined): Sighting | null {
  if (channel === undefined) return null;
  return {
    sightingId: String(row.sighting_id),
    trackId: row.track_id,
    deviceSerial: channel.device_serial,
    deviceName: channel.device_name,
    channelNo: channel.channel_no,
    channelName: channel.channel_name,
    objectClass: row.object_class,
    score: row.score,
    startTime: row.start_time,
    bestTime: row.best_time,
    endTime: row.end_time,
    regionList: row.regions,
    hasPicture: row.has_picture,
  };
}

function rangeOf(row: SightingRange, channels: ReadonlyMap<string, SearchedChannel>) {
  const channel = channels.get(row.channel_id);
  if (channel === undefined) return [];
  const { device_serial: deviceSerial, channel_no: channelNo } = channel;
  const { object_class: objectClass, start_time: startTime, end_time: endTime } = row;
  return [{ deviceSerial, channelNo, objectClass, startTime, endTime }];
}

function pathOf(row: Awaited<ReturnType<typeof findSightingPaths>>[number]) {
  return {
    trackId: row.track_id,
    objectClass: row.object_class,
    score: row.score,
    startTime: row.start_time,
    pointList: row.boxes.map((point) => [...point]),
  };
}

function replayDecision({ subject, grants, now }: Rights, row: Picture): Decision {
  const object = {
    kind: 'channel',
    ownerId: row.owner_id,
    organizationPath: row.organization_path ?? [],
    deviceId: row.device_id,
    channelNo: row.channel_no,
  } as const;
  return decide({ subject, action: 'Replay', object, grants, now });
}

async function auditPartOf(database: Database, row: Picture, decision: Decision): Promise<AuditPart> {
  const share = await auditShareOf(database, { decision });
  const itemList = [{ deviceSerial: row.device_serial, channelNo: row.channel_no, name: row.channel_name }];
  const footage = { startTime: row.best_time, endTime: row.best_time };
  return { ownerIds: [row.owner_id], detail: { way: 'sightingPicture', itemList, ...share, footage } };
}
