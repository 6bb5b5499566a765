// Sites: their connections, assignments, media tickets, and remote sites.
import type { SiteEvent } from '@vedette/contract/site/site.ts';
import { Signal } from '../core/signal.ts';
import { SocketAdmission } from '../core/socket-admission.ts';
import type { AlarmWriter } from '../features/alarm/alarm-writer.ts';
import { type SiteEventDeps, storeSiteEvents } from '../features/alarm/site-events.ts';
import { withObjectStores } from '../features/cloud/object-store.facts.ts';
import { natHandlers } from '../features/site/nat.handlers.ts';
import { siteHandlers } from '../features/site/site.handlers.ts';
import { sitePictureRates } from '../quota/picture-rates.ts';
import { SiteMeasures } from '../health/site-measures.ts';
import { AssignmentSync } from '../site-link/assignment-sync.ts';
import { RemoteSiteAuthenticator } from '../site-link/remote-site-authenticator.ts';
import { RemoteSites } from '../site-link/remote-sites.ts';
import { SITE_SOCKET_LIMITS, SiteEndpoint } from '../site-link/site-endpoint.ts';
import { SiteLines } from '../site-link/site-lines.ts';
import type { ConnectedSite, SitePort } from '../site-link/site-port.ts';
import { Sites } from '../site-link/sites.ts';
import { learnStreams } from '../site-link/stream-refresh.ts';
import { TicketIssuer } from '../ticket/ticket-issuer.ts';
import { TicketRevalidator } from '../ticket/ticket-revalidator.ts';
import type { Core } from './core.ts';
import type { NodeModule } from './node-module.ts';

export type SiteModule = Awaited<ReturnType<typeof siteModule>>;

export async function siteModule(core: Core, alarms: AlarmWriter, nodes: NodeModule) {
  const { database, clock, log, sessions, settings, hub, nodeId } = core;
  const push: SiteEventDeps['push'] = (event, object) => hub.pushAbout(event, object);
  const siteSettings = withObjectStores(core, settings.siteSettings);
  const ofSites = { retentionDays: settings.retentionDays, settings: siteSettings, publish: nodes.publish };
  const assignmentSync = new AssignmentSync({ ...core, ...ofSites });
  const deviceEvents = new Signal<readonly SiteEvent[]>();
  const onHeard = (events: readonly SiteEvent[]) => void deviceEvents.emit(events);
  const onOnline = (deviceSerial: string) => learnStreams({ database, site, log }, { deviceSerial });
  const eventDeps = { database, clock, alarms, push, onOnline, onHeard, pictureRates: sitePictureRates() };
  const lines = await SiteLines.open({ database, nodeId, log });
  const site = new Sites({
    database,
    clock,
    log,
    insideSiteId: lines.insideSiteId,
    elsewhere: nodes.elsewhere,
    onEvents: (events, line) => storeSiteEvents(eventDeps, line, events),
    onConnect: async (siteId, connected) => {
      await assignmentSync.assignAll(siteId, connected);
      await ticketRevalidator.reconcile(siteId, connected);
    },
    onDisconnected: (siteId) => remoteSites.siteDisconnected(siteId),
  });
  const { siteEndpoint, siteSockets } = entryOfSites(core, site, lines);
  const onAddress = (address: string) => siteSockets.reserveFor(address);
  const remoteSites = new RemoteSites({ ...core, sites: site, push, onAddress });
  const tickets = new TicketIssuer({ ...core, site });
  const ticketRevalidator = new TicketRevalidator({ database, sessions, clock, log, site });
  core.revocations.subscribe((rows) => ticketRevalidator.applyRevocations(rows));
  assignmentSync.attach(site);
  const bring = (siteId: string) =>
    bringMissed(core, { siteId, site: site.linkOf(siteId) }, [assignmentSync, ticketRevalidator]);
  site.whenBesideConnected(bring);
  site.whenConnected((siteId) => {
    bring(siteId);
    learnStreams({ database, site, log }, { siteId });
  });
  return {
    calls: { ...siteHandlers({ ...core, site, remoteSites }), ...natHandlers(core) },
    site,
    assignmentSync,
    tickets,
    siteEndpoint,
    siteSockets,
    /** Newest health of each site. */
    siteMeasures: new SiteMeasures(),
    servers: nodes.health,
    /** Events of the devices of a site, before they are stored. */
    deviceEvents,
    start: async () => {
      await remoteSites.start();
      ticketRevalidator.start();
    },
    close: () => {
      ticketRevalidator.close();
      assignmentSync.close();
      remoteSites.close();
      site.close();
    },
  };
}

function entryOfSites({ database, clock, log, masterKey }: Core, site: Sites, { insideSiteId, take }: SiteLines) {
  const siteSockets = new SocketAdmission({ clock, limits: SITE_SOCKET_LIMITS });
  const authenticator = new RemoteSiteAuthenticator({ database, clock, log });
  const linkOf = (siteId: string) => site.linkOf(siteId);
  const given = { masterKey, clock, log, authenticator, linkOf, insideSiteId, takeLine: take };
  return { siteSockets, siteEndpoint: new SiteEndpoint(given) };
}

function bringMissed(
  { log }: Core,
  { siteId, site }: ConnectedSite,
  all: readonly { readonly connected: (siteId: string, site: SitePort) => Promise<void> }[],
): void {
  Promise.all(all.map((one) => one.connected(siteId, site))).catch((error: unknown) => {
    log.error({ err: error, siteId }, 'what changed while a site connected was not brought to it');
  });
}
