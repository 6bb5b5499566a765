// Assignment sync: keeps devices and settings of each site equal to the database, whole on connect, then change by change.
import { Backoff } from '@vedette/foundation/backoff/backoff.ts';
import type { DeviceAssignment, SiteSettings } from '@vedette/contract/site/site.ts';
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import type { Logger } from 'pino';
import { CallError } from '../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { finishesWithin } from '@vedette/foundation/time/finishes-within.ts';
import { DatabaseBusy } from '../database/request-deadline.ts';
import { deleteRecordingRemovals, pendingRecordingRemovals } from '../database/device/channel.queries.ts';
import { allAssignments, type AssignmentDeps, elsewhere, type FoundAssignment, oneAssignment } from './assignments.ts';
import { storesOfSite } from '../database/media/cloud.queries.ts';
import { isInside } from './inside-site.ts';
import type { ConnectedSite, SitePort, SitesPort } from './site-port.ts';

/** Delay before a failed change is sent again. */
const RESYNC_AFTER_MS = 5000;
/** A remote site that keeps refusing its assignment is sent it less and less often. */
const AGAIN = { firstMs: RESYNC_AFTER_MS, maxMs: 300_000, jitter: 0 } as const;
/** A change waits no longer than this for a remote site; sending goes on in the background. */
const FAR_WAIT_MS = 1000;

/** What was stored, and has to be brought to sites. */
export type AssignmentChange =
  | { readonly kind: 'device'; readonly deviceId: string; readonly deviceSerial: string }
  | { readonly kind: 'settings' }
  | { readonly kind: 'moved'; readonly siteIds: readonly string[] }
  | { readonly kind: 'everything' };

export interface AssignmentSyncDeps extends AssignmentDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: () => Promise<SiteSettings>;
  /** Tells the other servers, which bring it to the sites that they have. */
  readonly publish: (change: AssignmentChange) => Promise<void>;
}

export class AssignmentSync {
  readonly #deps: AssignmentSyncDeps;
  #sites: Pick<SitesPort, 'linked'> | null = null;
  /** By site: when everything is sent again, and the delay used for that. */
  readonly #again = new Map<string, { readonly cancel: () => void; readonly backoff: Backoff }>();
  /** Counts changes to send. */
  #changes = 0;
  /** The count when everything was last sent to a site. */
  readonly #syncedAt = new Map<string, number>();

  constructor(deps: AssignmentSyncDeps) {
    this.#deps = deps;
  }

  /** The connections are made later, since they call this object on connect. */
  attach(sites: Pick<SitesPort, 'linked'>): void {
    this.#sites = sites;
  }

  close(): void {
    for (const { cancel } of this.#again.values()) cancel();
  }

  /** On connect, and after a change of many devices. */
  async assignAll(siteId: string, site: SitePort): Promise<void> {
    const changes = this.#changes;
    const devices = await allAssignments(this.#deps, siteId);
    await site.call('assign', { devices, settings: await this.#settingsOf(siteId) });
    await this.#removeRecordings(siteId, site, null);
    this.#syncedAt.set(siteId, changes);
    this.#again.get(siteId)?.cancel();
    this.#again.delete(siteId);
  }

  /** Once a site receives changes: those made while it connected may have been missed. */
  async connected(siteId: string, site: SitePort): Promise<void> {
    if (this.#syncedAt.get(siteId) === this.#changes) return;
    await this.#attempt(siteId, () => this.assignAll(siteId, site));
  }

  /** After a device was added, changed or deleted. If its site is disconnected, the next connect sends everything. */
  async deviceChanged(deviceId: string, deviceSerial: string): Promise<void> {
    await this.#bring({ kind: 'device', deviceId, deviceSerial });
  }

  async #sendDevice(deviceId: string, deviceSerial: string): Promise<void> {
    const found = await oneAssignment(this.#deps, deviceId);
    await this.#forEachLinked(async (siteId, site) => {
      if (found === null) await this.#removeRecordings(siteId, site, deviceSerial);
      else {
        const assignment = assignmentAt(found, siteId);
        if (assignment !== null) await site.call('assignOne', { deviceSerial, assignment, deleteRecordings: [] });
      }
    });
  }

  /** After the settings of sites were changed. */
  async settingsChanged(): Promise<void> {
    await this.#bring({ kind: 'settings' });
  }

  /** After devices went from one site to another. Those that are away get everything when they are back. */
  async devicesMoved(siteIds: ReadonlySet<string>): Promise<void> {
    await this.#bring({ kind: 'moved', siteIds: [...siteIds] });
  }

  async everythingChanged(): Promise<void> {
    await this.#bring({ kind: 'everything' });
  }

  /** To the sites that are connected to this server. */
  async apply(change: AssignmentChange): Promise<void> {
    this.#changes += 1;
    switch (change.kind) {
      case 'device':
        return await this.#attempt(null, () => this.#sendDevice(change.deviceId, change.deviceSerial));
      case 'settings':
        return await this.#forEachLinked(
          async (siteId, site) => await site.call('settings', await this.#settingsOf(siteId)),
        );
      case 'moved':
        return await this.#forEachLinked(async (siteId, site) => {
          if (change.siteIds.includes(siteId)) await this.assignAll(siteId, site);
        });
      case 'everything':
        return await this.#forEachLinked((siteId, site) => this.assignAll(siteId, site));
    }
  }

  async #bring(change: AssignmentChange): Promise<void> {
    await Promise.all([this.apply(change), this.#deps.publish(change)]);
  }

  /** A remote site keeps recordings in its own folder, as long and as much as its disk lets it, and has the keys of its own object stores alone. */
  async #settingsOf(siteId: string): Promise<SiteSettings> {
    const settings = await this.#deps.settings();
    if (siteId === LOCAL_SITE) return settings;
    const { reserveBytes } = settings.storage;
    const used = await storesOfSite(this.#deps.database, siteId);
    const objectStores = (settings.objectStores ?? []).filter(({ storeId }) => used.includes(storeId));
    return { ...settings, objectStores, storage: { folder: '', budgetBytes: Number.MAX_SAFE_INTEGER, reserveBytes } };
  }

  /** `onlySerial`: just this device, which is released even if none of its recordings are removed here. */
  async #removeRecordings(siteId: string, site: SitePort, onlySerial: string | null): Promise<void> {
    const pending = await pendingRecordingRemovals(this.#deps.database, siteId);
    const bySerial = Map.groupBy(pending, (row) => row.device_serial);
    // A remote site is sent only changes of its own devices, removals included.
    if (onlySerial !== null && !bySerial.has(onlySerial)) {
      if (siteId !== LOCAL_SITE) return;
      bySerial.set(onlySerial, []);
    }
    for (const [deviceSerial, rows] of bySerial) {
      if (onlySerial !== null && deviceSerial !== onlySerial) continue;
      const deleteRecordings = rows.map((row) => row.channel_id);
      const assignment = await this.#currentAssignment(siteId, deviceSerial);
      await site.call('assignOne', { deviceSerial, assignment, deleteRecordings });
      await deleteRecordingRemovals(this.#deps.database, siteId, deleteRecordings);
    }
  }

  /** A serial may have been added anew since its recordings were asked to go. */
  async #currentAssignment(siteId: string, deviceSerial: string) {
    const row = await this.#deps.database
      .selectFrom('device')
      .select('device_id')
      .where('device_serial', '=', deviceSerial)
      .executeTakeFirst();
    const found = row === undefined ? null : await oneAssignment(this.#deps, row.device_id);
    return found === null ? null : assignmentAt(found, siteId);
  }

  /** In parallel: a slow connection delays no other. */
  async #forEachLinked(work: (siteId: string, site: SitePort) => Promise<unknown>): Promise<void> {
    const { clock, log } = this.#deps;
    const linked = this.#linked();
    await Promise.all(
      linked.map(async ({ siteId, site }) => {
        const attempt = this.#attempt(siteId, () => work(siteId, site));
        if (isInside(siteId)) return await attempt;
        attempt.catch((error: unknown) => log.error({ err: error, siteId }, 'a change was not brought to a far site'));
        await finishesWithin(clock, FAR_WAIT_MS, attempt);
      }),
    );
  }

  #linked(): readonly ConnectedSite[] {
    return this.#sites?.linked() ?? [];
  }

  /** Null: all sites. */
  async #attempt(siteId: string | null, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // The change is stored: the call that made it has succeeded.
      if (!(error instanceof CallError || error instanceof DatabaseBusy)) throw error;
      this.#deps.log.warn({ siteId, reason: error.message }, 'a site did not take a change; it is brought again');
      const late = siteId === null ? this.#linked().map((one) => one.siteId) : [siteId];
      for (const one of late) this.#resyncLater(one);
    }
  }

  /** Per site, so that one that refuses everything does not affect others. */
  #resyncLater(siteId: string): void {
    const { clock, log } = this.#deps;
    const before = this.#again.get(siteId);
    before?.cancel();
    const backoff = before?.backoff ?? new Backoff(AGAIN, () => 0);
    const delayMs = isInside(siteId) ? RESYNC_AFTER_MS : backoff.next();
    const cancel = clock.after(delayMs, () => {
      const site = this.#linked().find((one) => one.siteId === siteId)?.site;
      // A disconnected site gets everything when it is back.
      if (site === undefined) return void this.#again.delete(siteId);
      this.#attempt(siteId, () => this.assignAll(siteId, site)).catch((error: unknown) => {
        log.error({ err: error, siteId }, 'changes for a site could not be looked up; they are again');
        this.#resyncLater(siteId);
      });
    });
    this.#again.set(siteId, { cancel, backoff });
  }
}

/** Null for a site that never had the device. */
function assignmentAt(found: FoundAssignment, siteId: string): DeviceAssignment | null {
  if (found.siteId === siteId) return found.assignment;
  return found.formerSiteIds.includes(siteId) ? elsewhere(found.assignment) : null;
}
