// Devices that were probed and not yet added: kept for ten minutes so that their snapshot can be shown.
import type { SiteCandidate, SiteStream } from '@vedette/contract/site/site.ts';
import { DeviceTrust } from '@vedette/drivers/kit/device-trust.ts';
import { SlowWork } from '../core/slow-work.ts';
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';
import type { Candidate, Driver, ProbeWarning, StreamInfo } from '@vedette/drivers/kit/driver.ts';
import type { DriverContext } from '@vedette/drivers/kit/driver-context.ts';
import { type ParsedTarget, parseProbeTarget } from '@vedette/drivers/probe-target.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { SignInLimiter } from '@vedette/media/source/sign-in-limiter.ts';
import type { DriverHost } from '../driver-host/driver-host.ts';
import { driverSource } from '../supervision/driver-source.ts';
import type { DriverContexts } from '../driver-host/driver-contexts.ts';
import type { Upstream } from '../recording/device-recorders.ts';
import { randomHex } from '@vedette/foundation/random/random-numbers.ts';

export interface CandidatesOptions {
  readonly clock: Clock;
  readonly driverContexts: DriverContexts;
  readonly drivers: DriverHost;
  readonly signInLimiter: SignInLimiter;
}

export interface ProbeInput {
  readonly target: string;
  readonly user: string;
  readonly password: string;
  readonly isOperator: boolean;
}

interface Held {
  readonly driver: Driver;
  readonly context: DriverContext;
  readonly closing: AbortController;
  readonly cancelExpiry: () => void;
}

/** The text is not an address: an error of the caller, not of the device. */
export class BadTarget extends Error {
  override readonly name = 'BadTarget';
}

const HELD_MS = 10 * 60_000;
const HELD_MAX = 100;
/** Some devices need this long. */
const PROBE_TIMEOUT_MS = 18_000;

export class Candidates {
  readonly #options: CandidatesOptions;
  readonly #held = new Map<string, Held>();
  readonly #probing: SlowWork<SiteCandidate>;

  constructor(options: CandidatesOptions) {
    this.#options = options;
    this.#probing = new SlowWork(options.clock);
  }

  async probe(input: ProbeInput): Promise<SiteCandidate> {
    const target = parseProbeTarget(input.target);
    if (!target) throw new BadTarget('not an address of a device');
    const { user, password, isOperator } = input;
    const key = JSON.stringify([input.target, user, password, isOperator]);
    return await this.#probing.join(key, () => this.#probe(input, target));
  }

  async #probe(input: ProbeInput, target: ParsedTarget): Promise<SiteCandidate> {
    const closing = new AbortController();
    // Adding a device or entering its password again pins its present trust.
    const trust = new DeviceTrust(null);
    const { driverContexts, drivers } = this.#options;
    const { isOperator, user, password } = input;
    const context = driverContexts.context(isOperator, closing.signal, trust);
    const name = placeOf(target);
    const asked = drivers.context({ name, isOperator, trust, signal: closing.signal });
    const given = user === '' && password === '' ? target.credentials : { user, password };
    const credentials = given && { ...given, schemes: trust };
    const candidate = await this.#ask(() =>
      asked.probe(target, credentials, AbortSignal.timeout(PROBE_TIMEOUT_MS)),
    ).catch((error: unknown) => {
      closing.abort();
      throw error;
    });
    const driver = asked.open(candidate.driver, candidate.native, credentials);
    if (!driver) throw new TypeError(`no such driver: ${candidate.driver}`);
    const probeId = this.#hold({ driver, context, closing });
    const native = { ...candidate.native, ...trust.record(Math.round(this.#options.clock.wallMs())) };
    return toSiteCandidate({ ...candidate, native }, probeId, input.target);
  }

  upstream(probeId: string, channelNo: number, quality: 0 | 1 | 2): Upstream | null {
    const held = this.#held.get(probeId);
    if (!held) return null;
    const { clock, signInLimiter } = this.#options;
    const { driver, context } = held;
    return {
      streamKey: `probe-${probeId}/${channelNo}/${quality}`,
      open: driverSource({ driver, channelNo, quality, context, clock, signInLimiter }),
    };
  }

  driver(probeId: string): Driver | null {
    return this.#held.get(probeId)?.driver ?? null;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#held.keys()].map((probeId) => this.#drop(probeId)));
  }

  async #ask(work: () => Promise<Candidate>): Promise<Candidate> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DOMException && error.name === 'TimeoutError') {
        throw new DeviceFault('timeout', 'the device took too long', { cause: error });
      }
      throw error;
    }
  }

  #hold(held: Omit<Held, 'cancelExpiry'>): string {
    const probeId = randomHex(16);
    const cancelExpiry = this.#options.clock.after(HELD_MS, () => void this.#drop(probeId));
    this.#held.set(probeId, { ...held, cancelExpiry });
    const [oldest] = this.#held.keys();
    if (this.#held.size > HELD_MAX && oldest !== undefined) void this.#drop(oldest);
    return probeId;
  }

  async #drop(probeId: string): Promise<void> {
    const held = this.#held.get(probeId);
    if (!held) return;
    this.#held.delete(probeId);
    held.cancelExpiry();
    held.closing.abort();
    await held.driver.close();
  }
}

export function toSiteStream({ quality, codec, width, height, fps, kbps, audio }: StreamInfo): SiteStream {
  return { quality, codec, width, height, fps: fps ?? null, kbps: kbps ?? null, audio: audio ?? null };
}

function toSiteCandidate(candidate: Candidate, probeId: string, target: string): SiteCandidate {
  return {
    probeId,
    driver: candidate.driver,
    native: candidate.native,
    deviceSerial: candidate.serial,
    deviceName: candidate.name,
    deviceType: candidate.deviceType,
    manufacturer: candidate.info.manufacturer,
    deviceModel: candidate.info.model,
    deviceVersion: candidate.info.firmware,
    address: withoutCredentials(target),
    channels: candidate.channels.map(({ channelNo, name, channelType, streams }) => ({
      channelNo,
      channelName: name,
      channelType,
      streams: streams.map(toSiteStream),
    })),
    capabilities: [...candidate.capabilities, ...candidate.channelCapabilities],
    warnings: candidate.warnings.map(warningText),
  };
}

/** Quarantine key: requests to one host share it. */
function placeOf({ places }: ParsedTarget): string {
  return `at ${URL.parse(places[0]?.url ?? '')?.hostname ?? ''}`;
}

function withoutCredentials(target: string): string {
  return target.replace(/^([a-z]+:\/\/)[^/@]*@/i, '$1');
}

/** A stable reason code and its detail; the console has a phrase for the code. */
function warningText(warning: ProbeWarning): string {
  switch (warning.kind) {
    case 'clock-differs':
      return `${warning.kind}:${warning.offsetMs}`;
    case 'address-differs':
      return `${warning.kind}:${warning.advertised}`;
    case 'no-serial':
      return warning.kind;
    case 'channel-without-stream':
      return `${warning.kind}:${warning.channelNo}`;
    default:
      return `${warning.kind}:${warning.channelNo}:${warning.codec}`;
  }
}
