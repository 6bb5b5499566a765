// Firmware upgrade service: transfers the file to the site in chunks, then polls its progress to the end.
import type { UpgradeReason } from '@vedette/contract/calls/firmware.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { Logger } from 'pino';
import { CallError } from '../../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { RealtimeHub } from '../../bus/realtime-hub.ts';
import type { Database } from '../../database/connection.ts';
import { withoutRequestDeadline } from '../../database/request-deadline.ts';
import { findDeviceFacts } from '../../database/device/device.queries.ts';
import {
  beginUpgrade,
  type PackageRow,
  runningUpgrades,
  storeDeviceVersion,
  storeUpgrade,
} from '../../database/device/firmware.queries.ts';
import type { SitePort } from '../../site-link/site-port.ts';
import { AlteredFirmware, type FirmwareStore } from './firmware-store.ts';
import { readReportedUpgrade } from './reported-upgrade.ts';

export interface FirmwareUpgradeServiceOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly site: Pick<SitePort, 'call'>;
  readonly store: FirmwareStore;
  readonly push: RealtimeHub['pushAbout'];
}

export interface UpgradingDevice {
  readonly deviceId: string;
  readonly deviceSerial: string;
  readonly version: string;
}

/** Part size, well below the largest message to a site. */
const CHUNK_BYTES = 512 * 1024;
const POLL_EVERY_MS = 1000;
/** After this time without its site an upgrade counts as lost. */
const SITE_OFFLINE_MAX_MS = 15 * 60_000;

export class FirmwareUpgradeService {
  readonly #options: FirmwareUpgradeServiceOptions;
  /** Devices whose file this process is sending. */
  readonly #transferring = new Set<string>();
  /** Devices whose site is being polled, so that a slow one delays no other. */
  readonly #asked = new Set<string>();
  /** Since when a device's site does not answer. */
  readonly #silentSince = new Map<string, number>();
  #cancel: (() => void) | null = null;
  #isClosed = false;

  constructor(options: FirmwareUpgradeServiceOptions) {
    this.#options = options;
  }

  start(): void {
    this.#cancel = this.#options.clock.after(POLL_EVERY_MS, () => {
      this.#poll()
        .catch((error: unknown) => this.#options.log.warn({ err: error }, 'upgrades could not be followed'))
        .finally(() => {
          if (!this.#isClosed) this.start();
        });
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }

  /** Throws 1012 if one of the device is running, 1006 if unsupported. */
  async begin(device: UpgradingDevice, firmware: PackageRow): Promise<void> {
    const { database, clock, site } = this.#options;
    const { deviceId, deviceSerial } = device;
    const isFree = await beginUpgrade(database, {
      device_id: deviceId,
      package_id: firmware.package_id,
      from_version: device.version,
      to_version: firmware.version,
      started_at: clock.wallMs(),
    });
    if (!isFree) throw new CallError('serviceBusy');
    this.#transferring.add(deviceId);
    try {
      await site.call('upgradeBegin', { deviceSerial, bytes: firmware.size_bytes, sha256: firmware.sha256 });
    } catch (error) {
      this.#transferring.delete(deviceId);
      await this.#fail(deviceId, 'offline');
      throw error;
    }
    // It outlives the call that began it.
    withoutRequestDeadline(() => {
      void this.#transfer(device, firmware).finally(() => this.#transferring.delete(deviceId));
    });
  }

  async #transfer(
    { deviceId, deviceSerial }: UpgradingDevice,
    { package_id, size_bytes, sha256 }: PackageRow,
  ): Promise<void> {
    const { site, store, log } = this.#options;
    try {
      let offset = 0;
      for await (const part of store.chunks(package_id, { bytes: size_bytes, sha256 }, CHUNK_BYTES)) {
        await site.call('upgradePart', { deviceSerial, offset, data: part.toString('base64') });
        offset += part.length;
      }
      await site.call('upgradeRun', { deviceSerial });
    } catch (error) {
      log.warn({ deviceSerial, err: error }, 'the firmware did not reach the site');
      await this.#fail(deviceId, error instanceof AlteredFirmware ? 'altered' : 'interrupted');
    }
  }

  /** A failure of one does not affect the others. */
  async #poll(): Promise<void> {
    for (const row of await runningUpgrades(this.#options.database)) {
      if (this.#asked.has(row.device_id)) continue;
      this.#asked.add(row.device_id);
      this.#follow(row)
        .catch((error: unknown) => this.#options.log.warn({ err: error }, 'an upgrade could not be followed'))
        .finally(() => this.#asked.delete(row.device_id));
    }
  }

  async #follow({
    device_id: deviceId,
    device_serial: deviceSerial,
    state: before,
    percent,
  }: Awaited<ReturnType<typeof runningUpgrades>>[number]): Promise<void> {
    const { database, site } = this.#options;
    const report = await askSite(site, deviceSerial);
    if (report === null) return await this.#noteSilence(deviceId);
    this.#silentSince.delete(deviceId);
    const { state, reason, version } = report;
    // Site or server restarted while the file was being sent.
    const isLost = state === 'none' || (state === 'taking' && !this.#transferring.has(deviceId));
    if (isLost) return this.#transferring.has(deviceId) ? undefined : await this.#fail(deviceId, 'interrupted');
    if (state === 'failed') await this.#fail(deviceId, reason ?? 'broken');
    else if (state === 'finished') await this.#finish(deviceId, deviceSerial, version);
    else if (state !== before || report.percent !== percent)
      await storeUpgrade(database, deviceId, { state, percent: report.percent });
  }

  async #noteSilence(deviceId: string): Promise<void> {
    const { clock } = this.#options;
    const since = this.#silentSince.get(deviceId) ?? clock.wallMs();
    this.#silentSince.set(deviceId, since);
    if (clock.wallMs() - since > SITE_OFFLINE_MAX_MS) await this.#fail(deviceId, 'interrupted');
  }

  async #finish(deviceId: string, deviceSerial: string, version: string): Promise<void> {
    const { database, clock, push } = this.#options;
    await storeDeviceVersion(database, deviceId, version);
    await storeUpgrade(database, deviceId, { state: 'finished', percent: 100, ended_at: clock.wallMs() });
    const device = await findDeviceFacts(database, deviceSerial, undefined);
    if (device !== undefined) push({ kind: 'resourcesChanged' }, { kind: 'device', ...device });
  }

  async #fail(deviceId: string, reason: UpgradeReason): Promise<void> {
    this.#silentSince.delete(deviceId);
    const ended_at = this.#options.clock.wallMs();
    await storeUpgrade(this.#options.database, deviceId, { state: 'failed', percent: 0, reason, ended_at });
  }
}

/** Null while the site does not answer; an invalid answer counts as a failed upgrade. */
async function askSite(site: FirmwareUpgradeServiceOptions['site'], deviceSerial: string) {
  try {
    return readReportedUpgrade(await site.call('upgradeStatus', { deviceSerial }));
  } catch (error) {
    if (error instanceof CallError && error.code === ERROR_CODES.devInternalErr) return readReportedUpgrade(null);
    const isAway = error instanceof CallError && error.code !== ERROR_CODES.serverInternalError;
    if (!isAway) throw error;
    return null;
  }
}
