// Probes an address for a device: the one way by which every kind of adding looks at it first.
import { DeviceFault, type DeviceFaultKind } from './kit/device-fault.ts';
import type { Candidate, DeviceCredentials } from './kit/driver.ts';
import type { DriverContext } from './kit/driver-context.ts';
import { raceSignal } from '@vedette/foundation/concurrency/race-signal.ts';
import { type ParsedTarget, type ProbePlace } from './probe-target.ts';
import { drivers } from './registry.ts';

export interface ProbeOptions {
  readonly target: ParsedTarget;
  /** Count before those written into the address. */
  readonly credentials: DeviceCredentials | null;
  readonly context: DriverContext;
  readonly signal?: AbortSignal | undefined;
}

/** How long a port may take to accept a connection while several are tried. */
const reachabilityTimeoutMs = 2_500;

/** Rejects with the DeviceFault that says most about what was met. */
export async function probe(options: ProbeOptions): Promise<Candidate> {
  const { places } = options.target;
  const [only] = places;
  if (only !== undefined && places.length === 1) return await probePlace(options, only);
  const faults: DeviceFault[] = [];
  const open = await openPlaces(options, faults);
  for (const place of open) {
    try {
      return await probePlace(options, place);
    } catch (error) {
      if (!(error instanceof DeviceFault)) throw error;
      faults.push(error);
    }
  }
  throw mostTelling(faults);
}

async function probePlace(
  { target, credentials, context, signal }: ProbeOptions,
  place: ProbePlace,
): Promise<Candidate> {
  const used = credentials ?? target.credentials;
  return await raceSignal(drivers[place.driver].probe({ url: place.url, credentials: used, context, signal }), signal);
}

/** The places whose port accepts a connection, in order: all are probed at once, so that closed ports do not add up. */
async function openPlaces({ target, context, signal }: ProbeOptions, faults: DeviceFault[]): Promise<ProbePlace[]> {
  const probes = target.places.map(async (place) => {
    const { hostname, port, protocol } = new URL(place.url);
    const number = Number(port === '' ? (protocol === 'rtsp:' ? 554 : 80) : port);
    try {
      const socket = await context.dial({
        host: hostname,
        port: number,
        tls: false,
        timeoutMs: reachabilityTimeoutMs,
        signal,
      });
      socket.destroy();
      return [place];
    } catch (error) {
      if (!(error instanceof DeviceFault)) throw error;
      faults.push(error);
      return [];
    }
  });
  return (await Promise.all(probes)).flat();
}

// A camera that refuses us tells more than a web page on another port, and that more than a closed port.
const telling: readonly DeviceFaultKind[] = [
  'misbehaving',
  'untrusted',
  'locked',
  'auth',
  'unsupported-codec',
  'no-video',
  'device',
  'not-found',
  'not-supported',
  'other-protocol',
  'unknown-channel',
  'address-refused',
  'interrupted',
  'timeout',
  'unreachable',
  'name-not-found',
];

function mostTelling(faults: readonly DeviceFault[]): DeviceFault {
  const [first] = faults.toSorted((a, b) => telling.indexOf(a.kind) - telling.indexOf(b.kind));
  return first ?? new DeviceFault('unreachable', 'nothing answered');
}
