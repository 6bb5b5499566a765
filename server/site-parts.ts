// Composes the services of sites: links, assignments, and tickets.
import type { SiteEvent } from '@vedette/contract/site.ts';
import type { SecretBox } from './auth/secret-box.ts';
import type { Sessions } from './auth/sessions.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from './database/connection.ts';
import type { AlarmWriter } from './features/alarm/alarm-writer.ts';
import type { SystemSettings } from './features/system/system-settings.ts';
import { SocketDoor } from './http/socket-door.ts';
import type { Logger } from 'pino';
import { FarEntry } from './site-link/far-entry.ts';
import { FarSites } from './site-link/far-sites.ts';
import { SITE_SOCKET_LIMITS, SiteDoor } from './site-link/site-door.ts';
import { type SiteEventParts, takeSiteEvents } from './site-link/site-events.ts';
import { SiteKeeper } from './site-link/site-keeper.ts';
import { Sites } from './site-link/sites.ts';
import { learnStreams } from './site-link/stream-refresh.ts';
import { TicketKeeper } from './tickets/ticket-keeper.ts';
import { TicketOffice } from './tickets/ticket-office.ts';

export interface SitePartsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly box: SecretBox;
  readonly masterKey: Buffer;
  readonly sessions: Sessions;
  readonly settings: SystemSettings;
  readonly alarms: AlarmWriter;
  readonly push: SiteEventParts['push'];
  readonly timeZone: string;
  /** Of devices of the site that tells them, before they are stored. */
  readonly onEvents: (events: readonly SiteEvent[]) => void;
}

export function createSiteParts(options: SitePartsOptions) {
  const { database, clock, log, box, masterKey, sessions, settings, alarms, push, timeZone } = options;
  const { retentionDays, siteSettings } = settings;
  const keeper = new SiteKeeper({ database, box, clock, log, retentionDays, timeZone, settings: siteSettings });
  const onOnline = (deviceSerial: string) => learnStreams({ database, site, log }, { deviceSerial });
  const site = new Sites({
    database,
    clock,
    log,
    onEvents: (siteId, events) =>
      takeSiteEvents({ database, clock, alarms, push, onOnline, onHeard: options.onEvents }, siteId, events),
    onConnect: async (siteId, connected) => {
      await keeper.assignAll(siteId, connected);
      await ticketKeeper.reconcile(siteId, connected);
    },
    onLost: (siteId) => farSites.lost(siteId),
  });
  const siteSockets = new SocketDoor({ clock, limits: SITE_SOCKET_LIMITS });
  const onAddress = (address: string) => siteSockets.know(address);
  const farSites = new FarSites({ database, clock, log, sites: site, push, onAddress });
  const entry = new FarEntry({ database, clock, log });
  const door = new SiteDoor({ masterKey, clock, log, entry, linkOf: (siteId) => site.linkOf(siteId) });
  const tickets = new TicketOffice({ database, clock, site });
  const ticketKeeper = new TicketKeeper({ database, sessions, clock, log, site });
  keeper.attach(site);
  site.whenConnected((siteId) => {
    const at = site.at(siteId);
    Promise.all([keeper.connected(siteId, at), ticketKeeper.connected(siteId, at)]).catch((error: unknown) => {
      log.error({ err: error, siteId }, 'what changed while a site connected was not brought to it');
    });
  });
  site.whenConnected((siteId) => learnStreams({ database, site, log }, { siteId }));
  return { keeper, site, farSites, door, siteSockets, tickets, ticketKeeper };
}
