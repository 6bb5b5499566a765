// Scans an address range for cameras: a short TCP reachability probe, then one unauthenticated request; never a password.
import { getSystemDateAndTime } from '@vedette/protocols/onvif/device-operations.ts';
import { type FoundDevice, foundMax } from './found-device.ts';
import { DeviceFault } from './kit/device-fault.ts';
import type { DriverContext } from './kit/driver-context.ts';
import { parseNetwork } from '@vedette/foundation/network/ip-networks.ts';
import type { AddressVerdict } from '@vedette/foundation/network/network-policy.ts';
import { SoapExchange } from './onvif/session/soap-exchange.ts';
import { driverAddresses } from './addresses.ts';

export interface ScanRangeOptions {
  readonly range: AddressRange;
  /** Null: where cameras usually listen. */
  readonly ports: readonly number[] | null;
  readonly context: DriverContext;
  /** Takes one of the places for connections that all scans of the site share; gives it back when done. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  readonly onFound: (device: FoundDevice) => void;
  /** Another address is done with. */
  readonly onChecked: () => void;
  readonly signal: AbortSignal;
}

export interface AddressRange {
  /** The network's first address as a number. */
  readonly first: number;
  readonly count: number;
}

/** Most addresses of one scan: a /22. */
const prefixMin = 22;
const connectTimeoutMs = 400;
const answerTimeoutMs = 2000;

/** Null for text that is no IPv4 network of at most 1024 addresses; a single address counts as one. */
export function parseRange(text: string): AddressRange | null {
  const network = parseNetwork(text);
  if (network === null || network.family !== 4 || network.prefixLength < prefixMin) return null;
  const count = 2 ** (32 - network.prefixLength);
  const start = Math.floor(numberOf(network.start) / count) * count;
  // The network's own address and its broadcast address are no hosts (RFC 3021 spares /31).
  return count > 2 ? { first: start + 1, count: count - 2 } : { first: start, count };
}

function numberOf(ipv4: string): number {
  return ipv4.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
}

export function addressAt({ first }: AddressRange, index: number): string {
  const number = first + index;
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}

/** False where the policy opens no address of the range at all: to be refused before anything is dialled. */
export function isRangeAllowed(range: AddressRange, judge: (address: string, port: number) => AddressVerdict): boolean {
  return [0, range.count - 1].some((index) => judge(addressAt(range, index), 80) === 'allowed');
}

/** Resolves when every address was asked; rejects with the signal's reason. */
export async function scanRange(options: ScanRangeOptions): Promise<void> {
  const { range, context, inTurn, onFound, onChecked } = options;
  const signal = AbortSignal.any([options.signal, context.signal]);
  let found = 0;
  const addresses = Array.from({ length: range.count }, (_, index) => addressAt(range, index));
  const lookAll = addresses.map((address) =>
    inTurn(async () => {
      signal.throwIfAborted();
      if (found >= foundMax) return;
      for (const device of await lookAt(address, { ...options, signal })) {
        found += 1;
        onFound(device);
      }
      onChecked();
    }),
  );
  const outcomes = await Promise.allSettled(lookAll);
  signal.throwIfAborted();
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

type LookOptions = Pick<ScanRangeOptions, 'ports' | 'context' | 'signal'>;

/** One device, or several where each port is a camera of its own; RTSP is asked only where no ONVIF answers. */
async function lookAt(address: string, options: LookOptions): Promise<FoundDevice[]> {
  const { ports } = options;
  const onvif = await allOf(ports ?? driverAddresses.onvif.ports, (port) => askOnvif(address, port, options));
  if (onvif.length > 0) return ports === null ? onvif.slice(0, 1) : onvif;
  const rtsp = await allOf(ports ?? driverAddresses.rtsp.ports, (port) => askRtsp(address, port, options));
  return ports === null ? rtsp.slice(0, 1) : rtsp;
}

async function allOf(
  ports: readonly number[],
  ask: (port: number) => Promise<FoundDevice | null>,
): Promise<FoundDevice[]> {
  const found: FoundDevice[] = [];
  for (const port of ports) {
    const device = await ask(port);
    if (device !== null) found.push(device);
  }
  return found;
}

async function askOnvif(address: string, port: number, { context, signal }: LookOptions): Promise<FoundDevice | null> {
  const url = new URL(driverAddresses.onvif.urlAt(address, port));
  try {
    const socket = await context.dial({ host: address, port, tls: false, timeoutMs: connectTimeoutMs, signal });
    socket.destroy();
    const limited = AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]);
    const exchange = new SoapExchange({ context, deviceUrl: url, credentials: null, authMode: null, signal: limited });
    await exchange.send(getSystemDateAndTime, {}, url);
    return found('onvif', url.href);
  } catch (error) {
    signal.throwIfAborted();
    // Some devices tell nobody the time before they know who asks: that is an answer too.
    const isOnvif = error instanceof DeviceFault && (error.kind === 'auth' || error.kind === 'device');
    return isOnvif ? found('onvif', url.href) : null;
  }
}

const rtspQuestion = 'OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n';

async function askRtsp(address: string, port: number, { context, signal }: LookOptions): Promise<FoundDevice | null> {
  try {
    const socket = await context.dial({ host: address, port, tls: false, timeoutMs: connectTimeoutMs, signal });
    const { promise, resolve } = Promise.withResolvers<string>();
    const cancel = context.clock.after(answerTimeoutMs, () => resolve(''));
    socket.once('data', (data) => resolve(data.subarray(0, 8).toString('latin1')));
    socket.once('error', () => resolve(''));
    socket.once('close', () => resolve(''));
    socket.write(rtspQuestion);
    const answer = await promise;
    cancel();
    socket.destroy();
    return answer.startsWith('RTSP/1.') ? found('rtsp', `rtsp://${address}${port === 554 ? '' : `:${port}`}`) : null;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof DeviceFault) return null;
    throw error;
  }
}

function found(driver: FoundDevice['driver'], target: string): FoundDevice {
  return { driver, target, endpoint: '', name: '', model: '' };
}
