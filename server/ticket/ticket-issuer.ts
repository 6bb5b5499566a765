// Issues media tickets: 256 random bits, known to the site by hash before the answer is sent, each resting on one decision.
import { createHash } from 'node:crypto';
import { TICKET_FIRST_USE_MS } from '@vedette/contract/limits.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import type { TicketGrant } from '@vedette/contract/site/site.ts';
import { ticketOn } from '@vedette/contract/node-ticket.ts';
import { remoteTicket, LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import { type AuthorizedDevice, authorizeDevice } from '../auth/authorize.ts';
import type { Principal } from '../auth/principal.ts';
import { loadRights } from '../auth/rights.ts';
import { CallError } from '../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { videoClosedUntil } from '../database/account/account-reset.queries.ts';
import type { Database } from '../database/connection.ts';
import { dropTickets, insertTicket, ticketExists } from '../database/media/media-ticket.queries.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { newSecret } from '@vedette/foundation/random/secrets.ts';
import { refuseOverMonth } from '../quota/month-quota.ts';
import { isInside } from '../site-link/inside-site.ts';
import type { SitesPort } from '../site-link/site-port.ts';

export interface TicketRequest {
  readonly kind: TicketGrant['kind'];
  readonly action: Permission;
  readonly principal: Principal;
  /** null for a probe, which has no device yet. */
  readonly device: AuthorizedDevice | null;
  readonly channelNo: number;
  readonly quality: 0 | 1 | 2;
  readonly range: { readonly startTime: number; readonly endTime: number } | null;
  readonly probeId: string | null;
  /** The guest link that it is opened by; then `principal` is its maker and `until` the end of the link. */
  readonly link?: { readonly linkHash: string; readonly until: number };
  /** The export that is downloaded. */
  readonly exportId?: string;
  /** Of the window: what the device's own storage holds alone, or that too. */
  readonly recordingSource?: 'device' | 'both';
  /** What the site is to make of the stream for this viewer. */
  readonly transcode?: 'h264' | 'mjpeg';
  /** For a probe: the site that holds the candidate; for recordings the one where they lie; absent: that of the device. */
  readonly siteId?: string;
  /** For a probe: its live stream, instead of its first picture. */
  readonly isStream?: boolean;
}

export interface IssuedTicket {
  readonly ticket: string;
  readonly firstUseBefore: number;
}

export interface TicketIssuerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly site: SitesPort;
  /** IANA name of the zone in which months of quotas are counted. */
  readonly timeZone: string;
}

/** What is watched, and so metered. */
const WATCHED_KINDS: ReadonlySet<TicketGrant['kind']> = new Set(['live', 'hls', 'fragments', 'rtsp', 'whep']);

export class TicketIssuer {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #sites: SitesPort;
  readonly #timeZone: string;

  constructor(options: TicketIssuerOptions) {
    this.#timeZone = options.timeZone;
    this.#database = options.database;
    this.#clock = options.clock;
    this.#sites = options.site;
  }

  /** Throws 1011 where the owner of the device has a month's quota that is used up, 1041 while video is closed for the account, 1012 without a site, or 1004 and 1009 where the right went while the ticket was made. */
  async issue(order: TicketRequest): Promise<IssuedTicket> {
    const now = this.#clock.wallMs();
    await this.#refuseClosed(order, now);
    const { device, kind } = order;
    const isCdn = kind === 'push';
    if (device !== null && (isCdn || WATCHED_KINDS.has(kind)))
      await refuseOverMonth(this.#database, { accountId: device.ownerId, now, timeZone: this.#timeZone, isCdn });
    const place = ticketSites(order, this.#sites);
    const ticket = newTicket(place);
    const firstUseBefore = now + TICKET_FIRST_USE_MS;
    const grant = toGrant(order, place, ticket, firstUseBefore);
    await insertTicket(this.#database, { ...toRow(order, grant, now), site_id: place.holder });
    try {
      // From here on the follower of revocations finds the row; what was withdrawn before is found by asking again.
      await this.#recheck(order);
      await this.#sites.at(place.holder).call('ticket', { grants: [grant] });
    } catch (error) {
      await dropTickets(this.#database, [grant.ticketId]);
      throw error;
    }
    await this.#revokeIfWithdrawn(place.holder, grant.ticketId);
    return { ticket, firstUseBefore };
  }

  /** Whatever call asks for the ticket. Guests of a link are others: it was given before the reset, since a closed account makes none. */
  async #refuseClosed({ principal, link }: TicketRequest, now: number): Promise<void> {
    if (link !== undefined) return;
    const until = await videoClosedUntil(this.#database, principal.userId);
    if (until > now) throw new CallError('videoClosed', { until });
  }

  async #recheck(order: TicketRequest): Promise<void> {
    if (order.device === null) return;
    const rights = await loadRights(this.#database, this.#clock, order.principal);
    await authorizeDevice(this.#database, rights, order.action, {
      deviceSerial: order.device.deviceSerial,
      channelNo: order.channelNo,
    });
  }

  /** A revocation that came before the site knew the ticket has removed the row: then the ticket must not live. */
  async #revokeIfWithdrawn(siteId: string, ticketId: string): Promise<void> {
    if (await ticketExists(this.#database, ticketId)) return;
    await this.#sites.at(siteId).call('revoke', { ticketIds: [ticketId], code: 1004 });
    throw new CallError('permissionDenied');
  }
}

interface TicketSites {
  /** The site that is asked for the media. */
  readonly holder: string;
  /** The one that has the camera. */
  readonly origin: string;
  /** The server whose machine serves it; null: there is one. */
  readonly nodeId: string | null;
}

const STREAM_KINDS: ReadonlySet<TicketGrant['kind']> = new Set(['live', 'hls', 'rtsp']);

/** A live stream comes once to the site beside the server of its site, whoever watches it there; all else lies where its site is. */
function ticketSites(
  { kind, range, device, siteId, isStream = false }: TicketRequest,
  sites: Pick<SitesPort, 'mediaPlace'>,
): TicketSites {
  const origin = siteId ?? device?.siteId ?? LOCAL_SITE;
  const isLive = isStream || (STREAM_KINDS.has(kind) && range === null);
  const { siteId: relay, nodeId } = sites.mediaPlace(origin);
  return { holder: isLive && origin !== LOCAL_SITE ? relay : origin, origin, nodeId };
}

/** It names the machine that serves it, and the remote site behind that, where there are several. */
function newTicket({ holder, nodeId }: TicketSites): string {
  const ticket = isInside(holder) ? newSecret() : remoteTicket(holder, newSecret());
  return nodeId === null ? ticket : ticketOn(nodeId, ticket);
}

function toGrant(order: TicketRequest, sites: TicketSites, ticket: string, firstUseBefore: number): TicketGrant {
  return {
    ticketId: newId(),
    ticketHash: createHash('sha256').update(ticket).digest('hex'),
    userId: order.principal.userId,
    ...viewerOf(order),
    kind: order.kind,
    deviceSerial: order.device?.deviceSerial ?? '',
    channelNo: order.channelNo,
    quality: order.quality,
    range: order.range,
    firstUseBefore,
    until: rightEndsAt(order),
    probeId: order.probeId,
    ...(sites.holder !== sites.origin && { siteId: sites.origin }),
    ...(order.recordingSource && { footage: order.recordingSource }),
    ...(order.transcode && { transcode: order.transcode }),
    ...(order.principal.app?.pageOrigin && { pageOrigin: order.principal.app.pageOrigin }),
    ...(order.kind === 'talk' && { userName: order.principal.userName }),
    ...(order.exportId === undefined ? {} : { exportId: order.exportId }),
  };
}

/** Guests of one link share a place of their own among the sessions; they see what was given and nothing beside it. */
function viewerOf({ link, principal, range }: TicketRequest): Pick<TicketGrant, 'sessionId' | 'isGuest' | 'isExact'> {
  if (link === undefined) return { sessionId: principal.sessionId };
  const sessionId = `link ${link.linkHash.slice(0, 24)}`;
  return { sessionId, isGuest: true, ...(range !== null && { isExact: true }) };
}

/** Of what the right rests on, whichever ends first. */
function rightEndsAt({ device, link }: TicketRequest): number | null {
  return earliest(device?.decision.until ?? null, link?.until ?? null);
}

function toRow(order: TicketRequest, grant: TicketGrant, now: number) {
  const because = order.device?.decision.because;
  return {
    ticket_id: grant.ticketId,
    ticket_hash: grant.ticketHash,
    account_id: grant.userId,
    session_id: grant.sessionId,
    kind: grant.kind,
    action: order.action,
    device_serial: grant.deviceSerial,
    channel_no: grant.channelNo,
    quality: grant.quality,
    start_time: grant.range?.startTime ?? null,
    end_time: grant.range?.endTime ?? null,
    probe_id: grant.probeId,
    share_id: because?.kind === 'grant' ? because.shareId : null,
    created_at: now,
    first_use_before: grant.firstUseBefore,
    until: grant.until,
    link_hash: order.link?.linkHash ?? null,
  };
}

export function earliest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
