// Remote sites: stores when they were last seen, pushes offline status, and configures their media tunnels at the local site.
import { createHash } from 'node:crypto';
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import type { PushEvent } from '@vedette/contract/events.ts';
import { LOCAL_SITE } from '@vedette/contract/site-far.ts';
import type { RightsObject } from '@vedette/rules/decide/rights.ts';
import type { Logger } from 'pino';
import { deviceObject } from '../auth/may.ts';
import { CallError } from '../call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from '../database/connection.ts';
import { findDevicesFacts } from '../database/device.queries.ts';
import { allSites, markSiteAway, touchSite } from '../database/site.queries.ts';
import { newSecret } from '../randomness.ts';
import type { Sites } from './sites.ts';

export interface FarSitesParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sites: Sites;
  readonly push: (event: PushEvent, object: RightsObject) => void;
  /** An enrolled site came from there last. */
  readonly onAddress: (address: string) => void;
}

/** A line that comes back sooner was not worth a word. */
const AWAY_AFTER_MS = 10_000;
const TOUCH_EVERY_MS = 30_000;

export class FarSites {
  readonly #parts: FarSitesParts;
  /** By site, as the centre is told. */
  readonly #tokenHashes = new Map<string, string>();
  readonly #cancelAway = new Map<string, () => void>();
  #cancelTouch: (() => void) | null = null;
  #isClosed = false;

  constructor(parts: FarSitesParts) {
    this.#parts = parts;
  }

  /** Those that do not come back after a restart of ours are away too. */
  async start(): Promise<void> {
    this.#parts.sites.whenConnected((siteId) => this.#connected(siteId));
    for (const { site_id: siteId, credential_hash, public_address } of await allSites(this.#parts.database)) {
      if (siteId !== LOCAL_SITE) this.lost(siteId);
      if (credential_hash !== null && public_address !== '') this.#parts.onAddress(public_address);
    }
    this.#touchLater();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTouch?.();
    for (const cancel of this.#cancelAway.values()) cancel();
  }

  lost(siteId: string): void {
    if (siteId === LOCAL_SITE || this.#isClosed) return;
    this.#cancelAway.get(siteId)?.();
    const cancel = this.#parts.clock.after(AWAY_AFTER_MS, () => {
      this.#cancelAway.delete(siteId);
      this.#guard(this.#tellAway(siteId), 'a site that is away could not be told of');
    });
    this.#cancelAway.set(siteId, cancel);
  }

  /** Its machine is let in no more, and what it brought to the centre is cut off. */
  forget(siteId: string): void {
    this.#cancelAway.get(siteId)?.();
    this.#cancelAway.delete(siteId);
    this.#tokenHashes.delete(siteId);
    this.#parts.sites.forget(siteId);
    this.#guard(this.#tellCentre(), 'the centre could not be told of a site that left');
  }

  #connected(siteId: string): void {
    this.#cancelAway.get(siteId)?.();
    this.#cancelAway.delete(siteId);
    this.#guard(siteId === LOCAL_SITE ? this.#tellCentre() : this.#pair(siteId), 'an uplink could not be arranged');
  }

  /** The centre first, so that the token is known when the site dials. */
  async #pair(siteId: string): Promise<void> {
    const token = newSecret();
    this.#tokenHashes.set(siteId, createHash('sha256').update(token).digest('hex'));
    await this.#tellCentre();
    await this.#parts.sites.at(siteId).call('uplink', { token });
  }

  /** Without the site beside us there is no centre; it is told when it is back. */
  async #tellCentre(): Promise<void> {
    const { sites } = this.#parts;
    if (!sites.isOnline()) return;
    const uplinks = [...this.#tokenHashes].map(([siteId, tokenHash]) => ({ siteId, tokenHash }));
    await sites.call('uplinks', { uplinks });
  }

  async #tellAway(siteId: string): Promise<void> {
    const { database, clock, push } = this.#parts;
    const serials = await markSiteAway(database, siteId);
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
    this.#cancelTouch = this.#parts.clock.after(TOUCH_EVERY_MS, () => {
      this.#guard(this.#touch(), 'sites could not be marked as seen');
      this.#touchLater();
    });
  }

  async #touch(): Promise<void> {
    const { database, clock, sites } = this.#parts;
    for (const { siteId } of sites.online()) await touchSite(database, siteId, clock.wallMs());
  }

  #guard(work: Promise<void>, message: string): void {
    work.catch((error: unknown) => {
      const fields = error instanceof CallError ? { code: error.code } : { err: error };
      this.#parts.log.warn(fields, message);
    });
  }
}
