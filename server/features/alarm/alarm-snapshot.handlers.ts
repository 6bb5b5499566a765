// Handler of the alarm snapshot: the one taken by a rule, from here or from its object store, else a frame of the recording.
import { decide } from '@vedette/rules/decide/decide.ts';
import type { Decision } from '@vedette/rules/decide/rights.ts';
import type { SnapshotCopies } from '../../alarm-snapshot/snapshot-copies.ts';
import type { Rights } from '../../auth/rights.ts';
import { CallError } from '../../core/call-error.ts';
import { readAlarmSnapshot } from '../../database/alarm/alarm-snapshot.queries.ts';
import { alarmsById, type AlarmWithNames } from '../../database/alarm/alarm-read.queries.ts';
import { nameOfChannel } from '../../database/account/audit-names.queries.ts';
import type { Database } from '../../database/connection.ts';
import { type AuditPart, auditShareOf } from '../../http/audit-trail.ts';
import type { Handlers } from '../../http/handler.ts';
import type { SitePort } from '../../site-link/site-port.ts';
import { alarmCursorOf } from './alarm-id.ts';

export interface AlarmSnapshotDeps {
  readonly database: Database;
  readonly site: SitePort;
  readonly snapshotCopies: Pick<SnapshotCopies, 'read'>;
}

/** Width in CSS pixels of an alarm's picture. */
export const ALARM_SNAPSHOT_WIDTH = 640;

export function alarmSnapshotHandlers(deps: AlarmSnapshotDeps): Handlers<'alarm/picture'> {
  const { database, site } = deps;
  return {
    'alarm/picture': async ({ input, rights, isWeb, audit }) => {
      const held = await rights();
      const cursor = alarmCursorOf(input.alarmId);
      const [alarm] = cursor === null ? [] : await alarmsById(database, held, [cursor], isWeb);
      if (alarm === undefined) throw new CallError('notFound');
      if (alarm.channel_no === 0) return { picture: null };
      const decision = replayDecision(held, alarm);
      if (!decision.allowed) return { picture: null };
      const picture = (await storedSnapshot(deps, alarm)) ?? (await recordedSnapshot(site, alarm));
      // Owners viewing their own devices are not logged.
      if (picture !== null && decision.because.kind !== 'owner') {
        audit.parts.push(await snapshotAuditPart(database, alarm, decision));
      }
      return { picture };
    },
  };
}

/** AlarmPush covers the alarm only; the picture is a recording. */
function replayDecision({ subject, grants, now }: Rights, row: AlarmWithNames): Decision {
  const object = {
    kind: 'channel',
    ownerId: row.owner_id,
    organizationPath: row.organization_path ?? [],
    deviceId: row.device_id,
    channelNo: row.channel_no,
  } as const;
  return decide({ subject, action: 'Replay', object, grants, now });
}

async function snapshotAuditPart(database: Database, row: AlarmWithNames, decision: Decision): Promise<AuditPart> {
  const { device_serial: deviceSerial, channel_no: channelNo, device_id: deviceId, start_time: startTime } = row;
  const name = await nameOfChannel(database, deviceId, channelNo);
  const share = await auditShareOf(database, { decision });
  const footage = { startTime, endTime: startTime };
  const itemList = [{ deviceSerial, channelNo, name }];
  return { ownerIds: [row.owner_id], detail: { way: 'alarmPicture', itemList, ...share, footage } };
}

async function storedSnapshot({ database, snapshotCopies }: AlarmSnapshotDeps, row: AlarmWithNames) {
  const { start_time: startTime, alarm_id: alarmId, picture_at: takenAt } = row;
  if (takenAt === null) return null;
  const key = { startTime, alarmId };
  const kept = (await readAlarmSnapshot(database, key)) ?? (await snapshotCopies.read(key));
  if (kept === null) return null;
  const { contentType, data } = kept;
  return { contentType, data: data.toString('base64'), time: takenAt, isTaken: true };
}

/** A site that is disconnected, or of an earlier version, has none. */
async function recordedSnapshot(site: SitePort, row: AlarmWithNames) {
  const { device_serial: deviceSerial, channel_no: channelNo, start_time: at } = row;
  try {
    const { picture } = await site.call('picture', { deviceSerial, channelNo, at, width: ALARM_SNAPSHOT_WIDTH });
    if (picture === null) return null;
    return { contentType: picture.contentType, data: picture.data, time: picture.at, isTaken: false };
  } catch (error) {
    if (error instanceof CallError) return null;
    throw error;
  }
}
