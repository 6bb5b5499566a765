// All sites of the installation: a link to each that is connected here, and routing of every call to the right site and server.
import { wait } from '@vedette/foundation/time/wait.ts';
import type { SiteCallName, SiteCalls, SiteEvent } from '@vedette/contract/site/site.ts';
import { type DirectAttempt, LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import type { Logger } from 'pino';
import { CallError } from '../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from '../database/connection.ts';
import { formerSiteLines, type SiteLine } from '../database/device/site-line.queries.ts';
import { siteOfDevice, sitesOfChannels, storeDirectAttempt } from '../database/device/site.queries.ts';
import { besideSite, isBeside } from './inside-site.ts';
import { mergedWork } from './merged-work.ts';
import { SiteLink } from './site-link.ts';
import type { ConnectedSite, MediaPlace, SitePort, SitesElsewhere, SitesPort } from './site-port.ts';
import { SiteRoute } from './site-route.ts';

/** Attempts of direct media are stored at most this often. */
const DIRECT_EVERY_MS = 1000;

export interface SitesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Of the site process of this machine. */
  readonly insideSiteId: string;
  readonly elsewhere: SitesElsewhere;
  readonly onEvents: (events: readonly SiteEvent[], line: SiteLine) => Promise<void>;
  readonly onConnect: (siteId: string, site: SitePort) => Promise<void>;
  /** No server has it any more, as far as this one knows. */
  readonly onDisconnected: (siteId: string) => void;
}

interface Known {
  readonly link: SiteLink;
  readonly route: SiteRoute;
}

export class Sites implements SitesPort {
  readonly #options: SitesOptions;
  readonly #known = new Map<string, Known>();
  readonly #connected: ((siteId: string) => void)[] = [];
  readonly #changed: ((siteId: string) => void)[] = [];
  readonly #besideConnected: ((siteId: string) => void)[] = [];
  /** The site process of this machine, which relays media of what dials this server. */
  readonly beside: SiteLink;
  /** Of this server among others; null: it is alone. */
  readonly nodeId: string | null;
  readonly isOnline: SitePort['isOnline'];
  readonly rtspPort: SitePort['rtspPort'];
  readonly canTranscode: SitePort['canTranscode'];

  constructor(options: SitesOptions) {
    this.#options = options;
    const local = this.at(LOCAL_SITE);
    this.isOnline = local.isOnline;
    this.nodeId = options.elsewhere.ownNodeId;
    this.beside = this.linkOf(options.insideSiteId);
    this.rtspPort = this.beside.rtspPort;
    this.canTranscode = this.beside.canTranscode;
    options.elsewhere.whenChanged((siteId, epoch) => this.#changedElsewhere(siteId, epoch));
  }

  /** Called each time a site has connected to this server and has its assignment. */
  whenConnected(callback: (siteId: string) => void): void {
    this.#connected.push(callback);
  }

  /** Called each time the site of this machine has connected, where the local site is that of another server. */
  whenBesideConnected(callback: (siteId: string) => void): void {
    this.#besideConnected.push(callback);
  }

  /** Called each time this server got or lost the line of a site. */
  whenChanged(callback: (siteId: string) => void): void {
    this.#changed.push(callback);
  }

  readonly at = (siteId: string): SitePort => this.#knownOf(siteId).route;

  readonly of = async (deviceSerial: string): Promise<SitePort> =>
    this.at(await siteOfDevice(this.#options.database, deviceSerial));

  readonly linked = (): readonly ConnectedSite[] =>
    [...this.#known].flatMap(([siteId, { link }]) => (link.isOnline() ? [{ siteId, site: link }] : []));

  readonly here = (): readonly ConnectedSite[] => this.linked().filter(({ siteId }) => !isBeside(siteId));

  readonly online = (): readonly ConnectedSite[] => {
    const elsewhere = this.#options.elsewhere.siteIds().filter((siteId) => !isBeside(siteId));
    const siteIds = new Set([...this.here().map(({ siteId }) => siteId), ...elsewhere]);
    return [...siteIds].map((siteId) => ({ siteId, site: this.at(siteId) }));
  };

  readonly mediaPlace = (siteId: string): MediaPlace => {
    const { elsewhere, insideSiteId } = this.#options;
    const isHere = siteId === insideSiteId || this.linkOf(siteId).isOnline();
    const nodeId = isHere ? null : elsewhere.nodeOf(siteId);
    if (nodeId === null) return { siteId: insideSiteId, nodeId: this.nodeId, isHere: true };
    const hasLocal = elsewhere.nodeOf(LOCAL_SITE) === nodeId;
    return { siteId: hasLocal ? LOCAL_SITE : besideSite(nodeId), nodeId, isHere: false };
  };

  readonly call = async <N extends SiteCallName>(
    name: N,
    input: SiteCalls[N]['input'],
  ): Promise<SiteCalls[N]['output']> => await this.at(await this.#siteOf(input)).call(name, input);

  linkOf(siteId: string): SiteLink {
    return this.#knownOf(siteId).link;
  }

  /** Ends the lines that the database has for another server, or for none since the site was deleted. */
  async closeFormer(): Promise<void> {
    const lines = this.here().flatMap(({ siteId }) => this.linkOf(siteId).line ?? []);
    for (const siteId of await formerSiteLines(this.#options.database, lines)) {
      this.linkOf(siteId).close();
      this.#left(siteId);
      for (const callback of this.#changed) callback(siteId);
    }
  }

  /** Disconnects a deleted site. */
  forget(siteId: string): void {
    this.#known.get(siteId)?.link.close();
    this.#known.delete(siteId);
  }

  close(): void {
    for (const { link } of this.#known.values()) link.close();
  }

  #knownOf(siteId: string): Known {
    const held = this.#known.get(siteId);
    if (held !== undefined) return held;
    const { clock, elsewhere } = this.#options;
    const link = this.#newLink(siteId);
    const route = new SiteRoute({ siteId, clock, here: link, elsewhere: () => elsewhere.at(siteId) });
    const known = { link, route };
    this.#known.set(siteId, known);
    return known;
  }

  #newLink(siteId: string): SiteLink {
    const { clock, log, database, onEvents, onConnect } = this.#options;
    return new SiteLink({
      siteId,
      clock,
      log,
      onEvents,
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
        this.#knownOf(siteId).route.connected();
        for (const callback of isBeside(siteId) ? this.#besideConnected : this.#connected) callback(siteId);
        for (const callback of this.#changed) callback(siteId);
      },
      onDisconnected: () => {
        this.#left(siteId);
        for (const callback of this.#changed) callback(siteId);
      },
    });
  }

  /** A newer line of a site to another server ends the one to this server. */
  #changedElsewhere(siteId: string, epoch: number | null): void {
    const { link, route } = this.#knownOf(siteId);
    if (epoch !== null && link.closeBefore(epoch)) {
      this.#options.log.info({ siteId }, 'the site is connected to another server now');
      for (const callback of this.#changed) callback(siteId);
    }
    if (epoch === null) this.#left(siteId);
    else route.connected();
  }

  #left(siteId: string): void {
    const known = this.#known.get(siteId);
    if (known === undefined || known.route.isOnline()) return;
    known.route.disconnected();
    this.#options.onDisconnected(siteId);
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
