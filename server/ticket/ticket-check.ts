// Checks whether the right of open tickets still holds, evaluating each session, account and channel once.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import { accountPermissions } from '@vedette/rules/decide/account-flags.ts';
import { decide } from '@vedette/rules/decide/decide.ts';
import type { Because } from '@vedette/rules/decide/rights.ts';
import { deviceObject } from '../auth/authorize.ts';
import { loadAccountRights, loadRights, type Rights } from '../auth/rights.ts';
import type { Sessions } from '../auth/sessions.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { findAccount } from '../database/account/account.queries.ts';
import type { Database } from '../database/connection.ts';
import { type DeviceFacts, findDeviceFacts } from '../database/device/device.queries.ts';
import type { MediaTicketRow } from '../database/schema/schema.ts';
import type { ShareLinkRow } from '../database/schema/share-schema.ts';
import { findLink, isLinkOver } from '../database/access/share-link.queries.ts';
import { earliest } from './ticket-issuer.ts';

export interface TicketCheckDeps {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly clock: Clock;
}

export class TicketCheck {
  readonly #deps: TicketCheckDeps;
  readonly #rights = new Map<string, Promise<Rights | { endCode: number }>>();
  readonly #links = new Map<string, Promise<ShareLinkRow | null>>();
  readonly #facts = new Map<string, Promise<DeviceFacts | undefined>>();

  constructor(deps: TicketCheckDeps) {
    this.#deps = deps;
  }

  /** null while the ticket may live. */
  async endCodeOf(ticket: MediaTicketRow): Promise<number | null> {
    const link = ticket.link_hash === null ? null : await this.#linkOf(ticket.link_hash);
    if (ticket.link_hash !== null && link === null) return ERROR_CODES.shareEnded;
    const rights = await this.#rightsBehind(ticket, link);
    if ('endCode' in rights) return rights.endCode;
    if (ticket.kind === 'probe') return probeEndCode(ticket, rights);
    return await this.#channelEndCode(ticket, link, rights);
  }

  async #channelEndCode(
    ticket: MediaTicketRow,
    link: ShareLinkRow | null,
    { subject, grants, now }: Rights,
  ): Promise<number | null> {
    const action = ticket.action as Permission;
    const { device_serial: deviceSerial, channel_no: channelNo } = ticket;
    const facts = await once(this.#facts, `${deviceSerial}/${channelNo}`, () =>
      findDeviceFacts(this.#deps.database, deviceSerial, channelNo),
    );
    if (facts === undefined) return ERROR_CODES.devNotExist;
    const object = deviceObject(facts, channelNo);
    const decision = decide({ subject, grants, now, action, object });
    const ofLink = link?.needs_reshare ? decide({ subject, grants, now, action: 'Reshare', object }) : null;
    if (!decision.allowed || ofLink?.allowed === false) return refusalCode(ticket, link);
    const until = earliest(earliest(decision.until, ofLink?.until ?? null), link?.end_time ?? null);
    await this.#rest(ticket, until, shareIdOf(decision.because));
    return null;
  }

  async #rightsBehind(ticket: MediaTicketRow, link: ShareLinkRow | null): Promise<Rights | { endCode: number }> {
    // Nobody has to stay signed in for it.
    if (ticket.kind === 'push')
      return await once(this.#rights, `maker ${ticket.account_id}`, () => this.#rightsOfMaker(ticket.account_id));
    if (link === null) return await once(this.#rights, ticket.session_id, () => this.#rightsOf(ticket.session_id));
    return await once(this.#rights, `maker ${link.owner_id}`, () => this.#rightsOfMaker(link.owner_id));
  }

  async #rightsOf(sessionId: string): Promise<Rights | { endCode: number }> {
    const { database, sessions, clock } = this.#deps;
    const session = await sessions.check(sessionId);
    return 'endCode' in session ? session : await loadRights(database, clock, session.principal);
  }

  /** null where it has ended. */
  async #linkOf(linkHash: string): Promise<ShareLinkRow | null> {
    const { database, clock } = this.#deps;
    return await once(this.#links, linkHash, async () => {
      const link = await findLink(database, linkHash);
      return link === undefined || isLinkOver(link, clock.wallMs()) ? null : link;
    });
  }

  /** A guest sees what the maker of the link may see. */
  async #rightsOfMaker(accountId: string): Promise<Rights | { endCode: number }> {
    const { database, clock } = this.#deps;
    const account = await findAccount(database, accountId);
    if (!account?.is_enabled) return { endCode: ERROR_CODES.shareEnded };
    return await loadAccountRights(database, clock, accountId);
  }

  /** The right goes on, perhaps for another reason and to another end. */
  async #rest(ticket: MediaTicketRow, until: number | null, shareId: string | null): Promise<void> {
    if (ticket.until === until && ticket.share_id === shareId) return;
    await this.#deps.database
      .updateTable('media_ticket')
      .set({ until, share_id: shareId })
      .where('ticket_id', '=', ticket.ticket_id)
      .execute();
  }
}

/** A probe is of no device yet: the account as a whole must have the right. */
function probeEndCode({ action }: MediaTicketRow, { subject, grants, now }: Rights): number | null {
  const isAllowed = accountPermissions(subject, grants, now).includes(action as Permission);
  return isAllowed ? null : ERROR_CODES.permissionDenied;
}

function shareIdOf(because: Because): string | null {
  return because.kind === 'grant' ? because.shareId : null;
}

/** To whom it was shared, it has ended. */
function refusalCode(ticket: MediaTicketRow, link: ShareLinkRow | null): number {
  const isShared = ticket.share_id !== null || link !== null;
  return isShared ? ERROR_CODES.shareEnded : ERROR_CODES.permissionDenied;
}

function once<T>(cache: Map<string, Promise<T>>, key: string, load: () => Promise<T>): Promise<T> {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const loading = load();
  cache.set(key, loading);
  return loading;
}
