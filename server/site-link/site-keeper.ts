// Keeps the site's picture of devices and settings equal to the database: whole on connect, one by one on changes.
import type { SiteSettings } from '@vedette/contract/site.ts';
import type { Logger } from 'pino';
import { CallError } from '../call-error.ts';
import type { Clock } from '../clock/clock.ts';
import { forgetFootageRemovals, pendingFootageRemovals } from '../database/channel.queries.ts';
import { allAssignments, type AssignmentParts, oneAssignment } from './assignments.ts';
import type { SitePort } from './site-port.ts';

/** A change that the site did not take is brought again after this long. */
const AGAIN_AFTER_MS = 5000;

export interface SiteKeeperParts extends AssignmentParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: () => Promise<SiteSettings>;
}

export class SiteKeeper {
  readonly #parts: SiteKeeperParts;
  #site: SitePort | null = null;
  #cancelAgain: (() => void) | null = null;

  constructor(parts: SiteKeeperParts) {
    this.#parts = parts;
  }

  /** The link is made after the keeper, since it calls the keeper on connect. */
  attach(site: SitePort): void {
    this.#site = site;
  }

  close(): void {
    this.#cancelAgain?.();
  }

  /** On connect, and after a change that concerns many devices. */
  async assignAll(site: SitePort): Promise<void> {
    const devices = await allAssignments(this.#parts);
    await site.call('assign', { devices, settings: await this.#parts.settings() });
    await this.#removeFootage(site, null);
  }

  /** After a device was added, changed or deleted. Without a site nothing is lost: the next connect brings everything. */
  async deviceChanged(deviceId: string, deviceSerial: string): Promise<void> {
    const site = this.#site;
    if (site === null || !site.isOnline()) return;
    await this.#attempt(async () => {
      const assignment = await oneAssignment(this.#parts, deviceId);
      if (assignment === null) await this.#removeFootage(site, deviceSerial);
      else await site.call('assignOne', { deviceSerial, assignment, deleteRecordings: [] });
    });
  }

  async everythingChanged(): Promise<void> {
    const site = this.#site;
    if (site === null || !site.isOnline()) return;
    await this.#attempt(() => this.assignAll(site));
  }

  async #removeFootage(site: SitePort, onlySerial: string | null): Promise<void> {
    const pending = await pendingFootageRemovals(this.#parts.database);
    const bySerial = Map.groupBy(pending, (row) => row.device_serial);
    if (onlySerial !== null && !bySerial.has(onlySerial)) bySerial.set(onlySerial, []);
    for (const [deviceSerial, rows] of bySerial) {
      if (onlySerial !== null && deviceSerial !== onlySerial) continue;
      const deleteRecordings = rows.map((row) => row.channel_id);
      const assignment = await this.#currentAssignment(deviceSerial);
      await site.call('assignOne', { deviceSerial, assignment, deleteRecordings });
      await forgetFootageRemovals(this.#parts.database, deleteRecordings);
    }
  }

  /** A serial may have been added anew since its footage was asked to go. */
  async #currentAssignment(deviceSerial: string) {
    const row = await this.#parts.database
      .selectFrom('device')
      .select('device_id')
      .where('device_serial', '=', deviceSerial)
      .executeTakeFirst();
    return row === undefined ? null : await oneAssignment(this.#parts, row.device_id);
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      this.#parts.log.warn({ code: error.code }, 'the site did not take a change; it is brought again');
      this.#cancelAgain?.();
      this.#cancelAgain = this.#parts.clock.after(AGAIN_AFTER_MS, () => void this.everythingChanged());
    }
  }
}
