// All sites of the installation: one link each, and routing of every call to the right site.
import { wait } from '@vedette/foundation/time/wait.ts';
import type { SiteCallName, SiteCalls, SiteEvent } from '@vedette/contract/site/site.ts';
import { type DirectAttempt, LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import type { Logger } from 'pino';
import { CallError } from '../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from '../database/connection.ts';
import { siteOfDevice, sitesOfChannels, storeDirectAttempt } from '../database/device/site.queries.ts';
import { mergedWork } from './merged-work.ts';
import { SiteLink } from './site-link.ts';
import type { SitePort, SitesPort } from './site-port.ts';

/** Attempts of direct media are stored at most this often. */
const DIRECT_EVERY_MS = 1000;

export interface SitesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onEvents: (siteId: string, events: readonly SiteEvent[]) => Promise<void>;
  readonly onConnect: (siteId: string, site: SitePort) => Promise<void>;
  readonly onDisconnected: (siteId: string) => void;
}

export class Sites implements SitesPort {
  readonly #options: SitesOptions;
  readonly #links = new Map<string, SiteLink>();
  readonly #connected: ((siteId: string) => void)[] = [];
  readonly #local: SiteLink;
  readonly isOnline: SitePort['isOnline'];
  readonly rtspPort: SitePort['rtspPort'];
  readonly canTranscode: SitePort['canTranscode'];

  constructor(options: SitesOptions) {
    this.#options = options;
    this.#local = this.linkOf(LOCAL_SITE);
    this.isOnline = this.#local.isOnline;
    this.rtspPort = this.#local.rtspPort;
    this.canTranscode = this.#local.canTranscode;
  }

  /** Called each time a site has connected and has its assignment. */
  whenConnected(callback: (siteId: string) => void): void {
    this.#connected.push(callback);
  }

  readonly at = (siteId: string): SitePort => this.linkOf(siteId);

  readonly of = async (deviceSerial: string): Promise<SitePort> =>
    this.linkOf(await siteOfDevice(this.#options.database, deviceSerial));

  readonly online = (): readonly { siteId: string; site: SitePort }[] =>
    [...this.#links].filter(([, link]) => link.isOnline()).map(([siteId, site]) => ({ siteId, site }));

  readonly call = async <N extends SiteCallName>(
    name: N,
    input: SiteCalls[N]['input'],
  ): Promise<SiteCalls[N]['output']> => await this.linkOf(await this.#siteOf(input)).call(name, input);

  linkOf(siteId: string): SiteLink {
    const held = this.#links.get(siteId);
    if (held !== undefined) return held;
    const { clock, log, database, onEvents, onConnect, onDisconnected } = this.#options;
    const link = new SiteLink({
      siteId,
      clock,
      log,
      onEvents: (events) => onEvents(siteId, events),
      onDirect: mergedWork(async (direct: DirectAttempt) => {
        try {
          await storeDirectAttempt(database, siteId, direct);
        } catch (error) {
          log.warn({ err: error, siteId }, 'a direct try was not stored');
        }
        await wait(clock, DIRECT_EVERY_MS);
      }, moreTelling),
      onConnect: (site) => onConnect(siteId, site),
      onConnected: () => {
        for (const callback of this.#connected) callback(siteId);
      },
      onDisconnected: () => onDisconnected(siteId),
    });
    this.#links.set(siteId, link);
    return link;
  }

  /** Disconnects a deleted site. */
  forget(siteId: string): void {
    this.#links.get(siteId)?.close();
    this.#links.delete(siteId);
  }

  close(): void {
    for (const link of this.#links.values()) link.close();
  }

  async #siteOf(input: object): Promise<string> {
    const { database } = this.#options;
    if ('deviceSerial' in input) return await siteOfDevice(database, String(input.deviceSerial));
    const channelIds = channelIdsOf(input);
    const sites = await sitesOfChannels(database, channelIds);
    // One file is written where its recordings lie.
    if (sites.length > 1) throw new CallError('functionNotSupported', { reason: 'severalSites' });
    return sites[0] ?? LOCAL_SITE;
  }
}

function channelIdsOf(input: object): string[] {
  if ('channelId' in input) return [String(input.channelId)];
  if (!('items' in input) || !Array.isArray(input.items)) return [];
  return input.items.map((item: { channelId: string }) => item.channelId);
}

/** A success is more informative than the next failure. */
function moreTelling(held: DirectAttempt, next: DirectAttempt): DirectAttempt {
  return held.isConnected && !next.isConnected ? held : next;
}
