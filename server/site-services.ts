// Composes the services of sites: links, assignments, and tickets.
import type { SiteEvent } from '@vedette/contract/site/site.ts';
import type { SecretBox } from './core/secret-box.ts';
import type { Sessions } from './auth/sessions.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from './database/connection.ts';
import type { AlarmWriter } from './features/alarm/alarm-writer.ts';
import type { SystemSettings } from './features/system/system-settings.ts';
import { SocketAdmission } from './core/socket-admission.ts';
import type { Logger } from 'pino';
import { RemoteSiteAuthenticator } from './site-link/remote-site-authenticator.ts';
import { RemoteSites } from './site-link/remote-sites.ts';
import { SITE_SOCKET_LIMITS, SiteEndpoint } from './site-link/site-endpoint.ts';
import { type SiteEventDeps, storeSiteEvents } from './features/alarm/site-events.ts';
import { AssignmentSync } from './site-link/assignment-sync.ts';
import { Sites } from './site-link/sites.ts';
import { learnStreams } from './site-link/stream-refresh.ts';
import { TicketRevalidator } from './ticket/ticket-revalidator.ts';
import { TicketIssuer } from './ticket/ticket-issuer.ts';

export interface SiteServicesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly box: SecretBox;
  readonly masterKey: Buffer;
  readonly sessions: Sessions;
  readonly settings: SystemSettings;
  readonly alarms: AlarmWriter;
  readonly push: SiteEventDeps['push'];
  readonly timeZone: string;
  /** Of devices of the site that tells them, before they are stored. */
  readonly onEvents: (events: readonly SiteEvent[]) => void;
}

export function createSiteServices(options: SiteServicesOptions) {
  const { database, clock, log, box, masterKey, sessions, settings, alarms, push, timeZone } = options;
  const { retentionDays, siteSettings } = settings;
  const assignmentSync = new AssignmentSync({
    database,
    box,
    clock,
    log,
    retentionDays,
    timeZone,
    settings: siteSettings,
  });
  const onOnline = (deviceSerial: string) => learnStreams({ database, site, log }, { deviceSerial });
  const site = new Sites({
    database,
    clock,
    log,
    onEvents: (siteId, events) =>
      storeSiteEvents({ database, clock, alarms, push, onOnline, onHeard: options.onEvents }, siteId, events),
    onConnect: async (siteId, connected) => {
      await assignmentSync.assignAll(siteId, connected);
      await ticketRevalidator.reconcile(siteId, connected);
    },
    onDisconnected: (siteId) => remoteSites.siteDisconnected(siteId),
  });
  const siteSockets = new SocketAdmission({ clock, limits: SITE_SOCKET_LIMITS });
  const onAddress = (address: string) => siteSockets.reserveFor(address);
  const remoteSites = new RemoteSites({ database, clock, log, sites: site, push, onAddress });
  const authenticator = new RemoteSiteAuthenticator({ database, clock, log });
  const siteEndpoint = new SiteEndpoint({
    masterKey,
    clock,
    log,
    authenticator,
    linkOf: (siteId) => site.linkOf(siteId),
  });
  const tickets = new TicketIssuer({ database, clock, site });
  const ticketRevalidator = new TicketRevalidator({ database, sessions, clock, log, site });
  assignmentSync.attach(site);
  site.whenConnected((siteId) => {
    const at = site.at(siteId);
    Promise.all([assignmentSync.connected(siteId, at), ticketRevalidator.connected(siteId, at)]).catch(
      (error: unknown) => {
        log.error({ err: error, siteId }, 'what changed while a site connected was not brought to it');
      },
    );
  });
  site.whenConnected((siteId) => learnStreams({ database, site, log }, { siteId }));
  return { assignmentSync, site, remoteSites, siteEndpoint, siteSockets, tickets, ticketRevalidator };
}
