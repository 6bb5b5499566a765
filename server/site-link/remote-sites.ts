// Remote sites: stores when they were last seen, pushes offline status, and configures their media tunnels at the site beside this server.
import { createHash } from 'node:crypto';
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import type { PushEvent } from '@vedette/contract/calls/page-events.ts';
import { ticketOn } from '@vedette/contract/node-ticket.ts';
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import type { RightsObject } from '@vedette/rules/decide/rights.ts';
import type { Logger } from 'pino';
import { deviceObject } from '../auth/authorize.ts';
import { CallError } from '../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from '../database/connection.ts';
import { findDevicesFacts } from '../database/device/device.queries.ts';
import { allSites, markSiteOffline, siteLastSeen, touchSite } from '../database/device/site.queries.ts';
import { newSecret } from '@vedette/foundation/random/secrets.ts';
import { isInside } from './inside-site.ts';
import type { Sites } from './sites.ts';

export interface RemoteSitesDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sites: Sites;
  readonly push: (event: PushEvent, object: RightsObject) => void;
  /** An enrolled site last connected from there. */
  readonly onAddress: (address: string) => void;
  /** Whether a site that is not connected here may be connected to another server. */
  readonly hasOtherServers: () => Promise<boolean>;
}

/** A reconnect within this time is not reported as an outage. */
const OFFLINE_AFTER_MS = 10_000;
const TOUCH_EVERY_MS = 30_000;
/** By then another server that has the site has marked it as seen. */
const SEEN_WITHIN_MS = TOUCH_EVERY_MS + 5000;

export class RemoteSites {
  readonly #deps: RemoteSitesDeps;
  /** By site, as sent to the site beside this server. */
  readonly #tokenHashes = new Map<string, string>();
  readonly #cancelOffline = new Map<string, () => void>();
  #cancelTouch: (() => void) | null = null;
  #isClosed = false;

  constructor(deps: RemoteSitesDeps) {
    this.#deps = deps;
  }

  /** Sites that do not reconnect after a restart of the server are offline too. */
  async start(): Promise<void> {
    const { sites } = this.#deps;
    sites.whenConnected((siteId) => this.#connected(siteId));
    sites.whenBesideConnected((siteId) => this.#connected(siteId));
    for (const { site_id: siteId, credential_hash, public_address } of await allSites(this.#deps.database)) {
      if (siteId !== LOCAL_SITE) this.siteDisconnected(siteId);
      if (credential_hash !== null && public_address !== '') this.#deps.onAddress(public_address);
    }
    this.#touchLater();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTouch?.();
    for (const cancel of this.#cancelOffline.values()) cancel();
  }

  siteDisconnected(siteId: string): void {
    if (isInside(siteId) || this.#isClosed) return;
    this.#offlineLater(siteId, OFFLINE_AFTER_MS);
  }

  #offlineLater(siteId: string, afterMs: number): void {
    this.#cancelOffline.get(siteId)?.();
    const cancel = this.#deps.clock.after(afterMs, () => {
      this.#cancelOffline.delete(siteId);
      this.#guard(this.#noteOffline(siteId), 'a site that is away could not be told of');
    });
    this.#cancelOffline.set(siteId, cancel);
  }

  /** A site that another server may have is away once nobody has seen it for longer than servers take to say so. */
  async #noteOffline(siteId: string): Promise<void> {
    const { database, clock, hasOtherServers, sites } = this.#deps;
    if (sites.at(siteId).isOnline()) return;
    const seenAt = await siteLastSeen(database, siteId);
    const unseenMs = seenAt === null ? SEEN_WITHIN_MS : clock.wallMs() - seenAt;
    if (unseenMs >= SEEN_WITHIN_MS || !(await hasOtherServers())) return await this.#pushOffline(siteId);
    if (!this.#isClosed && !sites.at(siteId).isOnline())
      this.#offlineLater(siteId, SEEN_WITHIN_MS - Math.max(0, unseenMs));
  }

  /** Its machine may not connect any more, and its streams to the site beside this server end. */
  forget(siteId: string): void {
    this.#cancelOffline.get(siteId)?.();
    this.#cancelOffline.delete(siteId);
    this.#tokenHashes.delete(siteId);
    this.#deps.sites.forget(siteId);
    this.#guard(this.#configureTunnels(), 'the centre could not be told of a site that left');
  }

  #connected(siteId: string): void {
    this.#cancelOffline.get(siteId)?.();
    this.#cancelOffline.delete(siteId);
    this.#guard(
      isInside(siteId) ? this.#configureTunnels() : this.#openTunnel(siteId),
      'an uplink could not be arranged',
    );
  }

  /** The site beside this server first, so that the token is known when the remote one dials. */
  async #openTunnel(siteId: string): Promise<void> {
    const { nodeId, at } = this.#deps.sites;
    // Whichever gateway it dials passes it on to this machine.
    const token = nodeId === null ? newSecret() : ticketOn(nodeId, newSecret());
    this.#tokenHashes.set(siteId, createHash('sha256').update(token).digest('hex'));
    await this.#configureTunnels();
    await at(siteId).call('uplink', { token });
  }

  /** While the site beside this server is disconnected nothing is sent; it gets all of it when it is back. */
  async #configureTunnels(): Promise<void> {
    const { beside } = this.#deps.sites;
    if (!beside.isOnline()) return;
    const uplinks = [...this.#tokenHashes].map(([siteId, tokenHash]) => ({ siteId, tokenHash }));
    await beside.call('uplinks', { uplinks });
  }

  async #pushOffline(siteId: string): Promise<void> {
    const { database, clock, push } = this.#deps;
    const serials = await markSiteOffline(database, siteId, clock.wallMs());
    const devices = await findDevicesFacts(database, serials);
    const at = clock.wallMs();
    for (const [deviceSerial, facts] of devices) {
      const status = DEVICE_STATUS.unknown;
      push(
        { kind: 'deviceStatus', deviceSerial, status, statusReason: 'siteAway', at },
        deviceObject(facts, undefined),
      );
    }
  }

  #touchLater(): void {
    this.#cancelTouch = this.#deps.clock.after(TOUCH_EVERY_MS, () => {
      this.#guard(this.#touch(), 'sites could not be marked as seen');
      this.#touchLater();
    });
  }

  async #touch(): Promise<void> {
    const { database, clock, sites } = this.#deps;
    for (const { siteId } of sites.here()) await touchSite(database, siteId, clock.wallMs());
  }

  #guard(work: Promise<void>, message: string): void {
    work.catch((error: unknown) => {
      const fields = error instanceof CallError ? { code: error.code } : { err: error };
      this.#deps.log.warn(fields, message);
    });
  }
}
