// Firmware upgrades of this site's devices: takes the file, sends it to the device, and waits for the new version.
import { wait } from '@vedette/foundation/time/wait.ts';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { UpgradeReason } from '@vedette/contract/calls/firmware.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { UPLOAD_LIMITS } from '@vedette/contract/limits.ts';
import type { SiteUpgrade } from '@vedette/contract/site/site-device-maintenance.ts';
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';
import type { Driver } from '@vedette/drivers/kit/driver.ts';
import type { DriverLog } from '@vedette/drivers/kit/driver-context.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { CallRefusal } from '../core/call-refusal.ts';
import type { Fleet } from '../supervision/fleet.ts';
import { PartialFile } from './partial-file.ts';

export interface FirmwareUpgradesOptions {
  readonly clock: Clock;
  readonly log: DriverLog;
  readonly fleet: Fleet;
  readonly folder: string;
}

interface Running {
  readonly file: PartialFile;
  readonly leaving: AbortController;
  state: SiteUpgrade;
  /** Time of the last part. */
  touchedMs: number;
}

const LOOK_EVERY_MS = 2000;
const LOOK_MS = 5000;
/** Wait for the device to come back. */
const BACK_WITHIN_MS = 10 * 60_000;
/** A device that was away, or never went away, is believed after this time. */
const SETTLED_MS = 20_000;
const NEVER_AWAY_MS = 3 * 60_000;
/** Dropped when no parts arrive for this long. */
const PART_WITHIN_MS = 2 * 60_000;
const DESCRIBE_MS = 10_000;
/** Wait for the device to accept or refuse the file. */
const SENT_WITHIN_MS = 15 * 60_000;

export class FirmwareUpgrades {
  readonly #options: FirmwareUpgradesOptions;
  readonly #running = new Map<string, Running>();

  constructor(options: FirmwareUpgradesOptions) {
    this.#options = options;
  }

  /** Files of an earlier run are useless. */
  async clear(): Promise<void> {
    await rm(this.#options.folder, { recursive: true, force: true });
  }

  async begin(deviceSerial: string, bytes: number, sha256: string): Promise<void> {
    const driver = this.#driverOf(deviceSerial);
    if (driver.upgrade === undefined) throw new CallRefusal(ERROR_CODES.functionNotSupported);
    const before = this.#running.get(deviceSerial);
    if (before !== undefined && this.#isUnderWay(before)) throw new CallRefusal(ERROR_CODES.serviceBusy);
    if (!(bytes > 0 && bytes <= UPLOAD_LIMITS.bytes))
      throw new CallRefusal(ERROR_CODES.paramInvalid, { bytes: 'format' });
    const file = new PartialFile(join(this.#options.folder, `${deviceSerial}.bin`), bytes, sha256);
    const touchedMs = this.#options.clock.monotonicMs();
    this.#running.set(deviceSerial, { file, leaving: new AbortController(), state: step('taking', 0), touchedMs });
    // Same name: deleted before the first part of the next one.
    await before?.file.remove();
  }

  async part(deviceSerial: string, offset: number, data: Buffer): Promise<void> {
    const running = this.#taking(deviceSerial);
    running.touchedMs = this.#options.clock.monotonicMs();
    if (!(await running.file.append(offset, data)))
      throw new CallRefusal(ERROR_CODES.paramInvalid, { offset: 'format' });
    running.state = step('taking', share(running.file.taken, running.file.bytes));
  }

  async run(deviceSerial: string): Promise<void> {
    const running = this.#taking(deviceSerial);
    const driver = this.#driverOf(deviceSerial);
    if (!(await running.file.finish())) {
      await this.#end(deviceSerial, running, failed('altered'));
      throw new CallRefusal(ERROR_CODES.paramInvalid, { sha256: 'format' });
    }
    running.state = step('sending', 0);
    this.#work(deviceSerial, running, driver).catch((error: unknown) => {
      this.#options.log.warn({ deviceSerial, err: error }, 'an upgrade ended unexpectedly');
    });
  }

  /** The device was deleted: its upgrade ends, and nothing of the file stays. */
  async deviceGone(deviceSerial: string): Promise<void> {
    const running = this.#running.get(deviceSerial);
    if (running === undefined) return;
    this.#running.delete(deviceSerial);
    running.leaving.abort();
    await running.file.remove();
  }

  status(deviceSerial: string): SiteUpgrade {
    const running = this.#running.get(deviceSerial);
    return running === undefined ? { ...step('none', 0) } : running.state;
  }

  async close(): Promise<void> {
    for (const { leaving } of this.#running.values()) leaving.abort();
    await Promise.all([...this.#running.values()].map(({ file }) => file.remove()));
  }

  async #work(deviceSerial: string, running: Running, driver: Driver): Promise<void> {
    const { signal } = running.leaving;
    const { file } = running;
    const late = new AbortController();
    const cancelLate = this.#options.clock.after(SENT_WITHIN_MS, () => late.abort());
    try {
      const before = (await driver.describe(AbortSignal.timeout(DESCRIBE_MS))).info.firmware;
      await driver.upgrade?.(
        { bytes: file.bytes, read: () => file.read() },
        (sent) => {
          running.state = step('sending', share(sent, file.bytes));
        },
        AbortSignal.any([signal, late.signal]),
      );
      cancelLate();
      running.state = step('installing', 0);
      await file.remove();
      const state = await this.#awaitReturn(driver, before, running);
      if (!signal.aborted) await this.#end(deviceSerial, running, state);
    } catch (error) {
      if (signal.aborted) return;
      this.#options.log.warn({ deviceSerial, err: error }, 'the device did not take the firmware');
      await this.#end(deviceSerial, running, failed(file.isAltered ? 'altered' : reasonOf(error)));
    } finally {
      cancelLate();
    }
  }

  /** A changed version proves success; an unchanged one may be read before the restart. */
  async #awaitReturn(driver: Driver, before: string, running: Running): Promise<SiteUpgrade> {
    const { clock } = this.#options;
    const startMs = clock.monotonicMs();
    let wasAway = false;
    let backMs: number | null = null;
    for (let atMs = startMs; atMs - startMs < BACK_WITHIN_MS; atMs = clock.monotonicMs()) {
      running.state = step('installing', share(atMs - startMs, BACK_WITHIN_MS));
      await wait(this.#options.clock, LOOK_EVERY_MS);
      if (running.leaving.signal.aborted) return failed('interrupted');
      const version = await versionNow(driver);
      if (version === null) {
        wasAway = true;
        backMs = null;
        continue;
      }
      if (version !== before) return { state: 'finished', percent: 100, reason: null, version };
      backMs ??= clock.monotonicMs();
      const patience = wasAway ? SETTLED_MS : NEVER_AWAY_MS;
      if (clock.monotonicMs() - (wasAway ? backMs : startMs) >= patience) return { ...failed('sameVersion'), version };
    }
    return failed('notBack');
  }

  async #end(deviceSerial: string, running: Running, state: SiteUpgrade): Promise<void> {
    try {
      // Deleted first: whoever sees the end may start the next one under the same name.
      await running.file.remove();
    } finally {
      running.state = state;
    }
    this.#options.fleet.device(deviceSerial)?.supervisor.poke();
  }

  #taking(deviceSerial: string): Running {
    const running = this.#running.get(deviceSerial);
    if (running?.state.state !== 'taking') throw new CallRefusal(ERROR_CODES.notFound);
    return running;
  }

  #isUnderWay({ state: { state }, touchedMs }: Running): boolean {
    if (state === 'taking') return this.#options.clock.monotonicMs() - touchedMs < PART_WITHIN_MS;
    return state === 'sending' || state === 'installing';
  }

  #driverOf(deviceSerial: string): Driver {
    const device = this.#options.fleet.device(deviceSerial);
    if (device === null) throw new CallRefusal(ERROR_CODES.devNotExist);
    return device.supervisor.driver;
  }
}

/** Null while it does not answer, or answers as another device. */
async function versionNow(driver: Driver): Promise<string | null> {
  try {
    driver.refresh();
    return (await driver.describe(AbortSignal.timeout(LOOK_MS))).info.firmware;
  } catch {
    return null;
  }
}

function reasonOf(error: unknown): UpgradeReason {
  if (!(error instanceof DeviceFault)) return 'broken';
  return ['not-found', 'auth', 'locked', 'not-supported', 'device'].includes(error.kind) ? 'refused' : 'broken';
}

function step(state: SiteUpgrade['state'], percent: number): SiteUpgrade {
  return { state, percent, reason: null, version: null };
}

function failed(reason: UpgradeReason): SiteUpgrade {
  return { state: 'failed', percent: 0, reason, version: null };
}

function share(done: number, all: number): number {
  return all === 0 ? 0 : Math.min(100, Math.floor((done / all) * 100));
}
