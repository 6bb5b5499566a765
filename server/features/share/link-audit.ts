// Audit log entries of guest links for the camera's owner: created, revoked, opened, and the share of its creator.
import type { AuditDetail } from '@vedette/contract/audit-detail.ts';
import { type AuthorizedDevice, authorizeDevice } from '../../auth/authorize.ts';
import type { Rights } from '../../auth/rights.ts';
import { CallError } from '../../core/call-error.ts';
import { nameOfAccount } from '../../database/account/audit-names.queries.ts';
import type { Database } from '../../database/connection.ts';
import { findDevice } from '../../database/device/device.queries.ts';
import type { ShareLinkRow } from '../../database/schema/share-schema.ts';
import { findLink } from '../../database/access/share-link.queries.ts';
import { type AuditPart, auditItemOf, auditShareOf } from '../../http/audit-trail.ts';
import { LINK_ACTION, linkHashOf } from './link-maker.ts';

/** Empty where link or camera are gone. */
export async function shareLinkAuditParts(database: Database, linkId: string, rights: Rights): Promise<AuditPart[]> {
  const link = await findLink(database, linkHashOf(linkId));
  const row = link && (await findDevice(database, link.device_id));
  if (link === undefined || row === undefined) return [];
  const which = { deviceSerial: row.device_serial, channelNo: link.channel_no };
  const device = await authorizeDevice(database, rights, LINK_ACTION[link.kind], which).catch((error: unknown) => {
    // Who lost the right still revokes its links.
    if (error instanceof CallError) return null;
    throw error;
  });
  const known = { deviceId: row.device_id, deviceSerial: row.device_serial, deviceName: row.device_name };
  return [await linkPart(database, link, { known: { ...known, ownerId: row.owner_id }, device, way: 'link' })];
}

/** A guest's opening stands in the logs of the camera's owner and of who made the link. */
export function linkOpeningAuditPart(
  database: Database,
  link: ShareLinkRow,
  device: AuthorizedDevice,
): Promise<AuditPart> {
  const way = link.kind === 'live' ? 'guestLive' : 'guestClip';
  return linkPart(database, link, { known: device, device, way });
}

type Known = Pick<AuthorizedDevice, 'deviceId' | 'deviceSerial' | 'deviceName' | 'ownerId'>;

async function linkPart(
  database: Database,
  link: ShareLinkRow,
  about: { readonly known: Known; readonly device: AuthorizedDevice | null; readonly way: AuditDetail['way'] },
): Promise<AuditPart> {
  const { known, device, way } = about;
  const footage = link.clip_start !== null && link.clip_end !== null;
  return {
    ownerIds: [known.ownerId, link.owner_id],
    detail: {
      ...(way && { way }),
      itemList: [await auditItemOf(database, known, link.channel_no)],
      link: { linkName: link.link_name, userName: await nameOfAccount(database, link.owner_id) },
      ...(device && (await auditShareOf(database, device))),
      ...(footage && { footage: { startTime: link.clip_start ?? 0, endTime: link.clip_end ?? 0 } }),
    },
  };
}
