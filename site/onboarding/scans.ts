// Network searches that run or ended lately; each is polled by its reader and forgotten soon after its end.
import type { ScanCalls, SiteScan } from '@vedette/contract/site/site-scan.ts';
import { type FoundDevice, foundMax } from '@vedette/drivers/found-device.ts';
import { checkAddress } from '@vedette/foundation/network/network-policy.ts';
import { isRangeAllowed, parseRange } from '@vedette/drivers/scan-range.ts';
import type { DriverLog } from '@vedette/drivers/kit/driver-context.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { DiscoveryPlace } from '@vedette/protocols/ws-discovery/client.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { CallRefusal } from '../core/call-refusal.ts';
import type { DriverHost } from '../driver-host/driver-host.ts';
import type { DriverContexts } from '../driver-host/driver-contexts.ts';
import { randomHex } from '@vedette/foundation/random/random-numbers.ts';

export interface ScansOptions {
  readonly clock: Clock;
  readonly driverContexts: DriverContexts;
  readonly drivers: DriverHost;
  readonly log: DriverLog;
  /** All are asked at once. */
  readonly places: readonly DiscoveryPlace[];
}

/** Parallel scans, over all accounts. */
const RUNNING_MAX = 8;
/** A scan that nobody reads ends, and is forgotten after this time. */
const UNREAD_MS = 60_000;

interface Scan {
  readonly ending: AbortController;
  /** By endpoint, else by address: a device may answer again with a better address. */
  readonly found: Map<string, FoundDevice>;
  readonly total: number;
  /** Version of the results; 0 before the first. */
  version: number;
  checked: number;
  isDone: boolean;
  /** Waiting readers, called once when there is something new. */
  waiting: (() => void)[];
  cancelExpiry: () => void;
  work: Promise<void>;
}

export class Scans {
  readonly #options: ScansOptions;
  readonly #scans = new Map<string, Scan>();

  constructor(options: ScansOptions) {
    this.#options = options;
  }

  /** Throws CallRefusal 1012 where too many run, 1003 for a network that is none or may not be asked. */
  start(input: ScanCalls['scanStart']['input']): string {
    const running = [...this.#scans.values()].filter((scan) => !scan.isDone).length;
    if (running >= RUNNING_MAX) throw new CallRefusal(ERROR_CODES.serviceBusy);
    const policy = this.#options.driverContexts.policy(input.isOperator);
    const range = input.network === null ? null : parseRange(input.network);
    if (input.network !== null && range === null) throw new CallRefusal(ERROR_CODES.paramInvalid, { scope: 'format' });
    if (range !== null && !isRangeAllowed(range, (address, port) => checkAddress(address, port, policy))) {
      throw new CallRefusal(ERROR_CODES.paramInvalid, { scope: 'notAllowed' });
    }
    const scanId = randomHex(16);
    const scan = this.#open(scanId, range?.count ?? 0);
    scan.work = this.#run(scan, input, range);
    return scanId;
  }

  async read({ scanId, seen, waitMs }: ScanCalls['scanRead']['input']): Promise<SiteScan> {
    const scan = this.#scans.get(scanId);
    if (scan === undefined) throw new CallRefusal(ERROR_CODES.notFound);
    this.#touch(scanId, scan);
    const until = this.#options.clock.wallMs() + waitMs;
    for (let left = waitMs; left > 0 && !hasNews(scan, seen); left = until - this.#options.clock.wallMs()) {
      await this.#news(scan, left);
    }
    return {
      version: scan.version,
      isDone: scan.isDone,
      checked: scan.checked,
      total: scan.total,
      found: [...scan.found.values()].map(({ driver, target, endpoint, name, model }) => ({
        driver,
        target,
        endpoint,
        deviceName: name,
        deviceModel: model,
      })),
    };
  }

  end(scanId: string): void {
    this.#scans.get(scanId)?.ending.abort();
  }

  async close(): Promise<void> {
    for (const scan of this.#scans.values()) {
      scan.cancelExpiry();
      scan.ending.abort();
    }
    await Promise.all([...this.#scans.values()].map((scan) => scan.work));
  }

  #open(scanId: string, total: number): Scan {
    const scan: Scan = {
      ending: new AbortController(),
      found: new Map(),
      total,
      version: 0,
      checked: 0,
      isDone: false,
      waiting: [],
      cancelExpiry: () => undefined,
      work: Promise.resolve(),
    };
    this.#scans.set(scanId, scan);
    this.#touch(scanId, scan);
    return scan;
  }

  async #run(
    scan: Scan,
    { isOperator, ports }: ScanCalls['scanStart']['input'],
    range: ReturnType<typeof parseRange>,
  ): Promise<void> {
    const { drivers, places, log } = this.#options;
    const { signal } = scan.ending;
    const asked = drivers.context({ name: 'a search', isOperator, trust: null, signal, isMetered: false });
    const found = (device: FoundDevice): void => {
      if (scan.found.size >= foundMax) return;
      scan.found.set(device.endpoint === '' ? device.target : device.endpoint, device);
      scan.version += 1;
      tell(scan);
    };
    const checked = (): void => void (scan.checked += 1);
    try {
      if (range === null) await Promise.all(places.map((place) => asked.discover(place, found, signal)));
      else await asked.scan({ range, ports }, { found, checked }, signal);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'a search for devices failed');
    }
    scan.isDone = true;
    tell(scan);
  }

  #news(scan: Scan, waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(waitMs, resolve);
      scan.waiting.push(() => {
        cancel();
        resolve();
      });
    });
  }

  #touch(scanId: string, scan: Scan): void {
    scan.cancelExpiry();
    scan.cancelExpiry = this.#options.clock.after(UNREAD_MS, () => {
      scan.ending.abort();
      this.#scans.delete(scanId);
    });
  }
}

/** `seen` null: wait for the end. */
function hasNews(scan: Scan, seen: number | null): boolean {
  return scan.isDone || (seen !== null && scan.version > seen);
}

function tell(scan: Scan): void {
  const waiting = scan.waiting;
  scan.waiting = [];
  for (const told of waiting) told();
}
