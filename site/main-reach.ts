// Program that asks each assigned device for a connection and prints as one JSON object which accept one, without addresses.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import { dialledUrl } from '@vedette/drivers/addresses.ts';
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';
import { Semaphore } from '@vedette/foundation/concurrency/semaphore.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import { DriverContexts } from './driver-host/driver-contexts.ts';
import { readMasterKey } from './process/environment.ts';
import { AssignmentCache } from './state/assignment-cache.ts';
import { SealedFile } from './state/sealed-file.ts';

const TIMEOUT_MS = 2000;
const AT_A_TIME = 32;
const USUAL_PORTS: Readonly<Record<string, number>> = { 'rtsp:': 554, 'rtsps:': 322, 'http:': 80, 'https:': 443 };

const { values } = parseArgs({ options: { data: { type: 'string', default: 'data' } } });
const masterKey = readMasterKey(process.env['VEDETTE_KEY'], values.data);
const path = join(values.data, 'site', 'assignments.sealed');
const cache = new AssignmentCache({
  file: new SealedFile({ disk: createDisk(), path, masterKey, purpose: 'assignments' }),
  onFault: (error) => {
    throw error;
  },
});
await cache.load();
const contexts = new DriverContexts({
  clock: systemClock,
  log: { debug: ignore, info: ignore, warn: ignore },
  ownPorts: () => new Set(),
  cameraNetworks: () => cache.settings?.cameraNetworks ?? [],
});
const places = new Semaphore({ places: AT_A_TIME });
const devices = await Promise.all(
  cache.running.map(async (device) => ({
    deviceSerial: device.deviceSerial,
    fault: await places.run(() => faultOf(device)),
  })),
);
process.stdout.write(`${JSON.stringify({ devices })}\n`);

/** Empty where the device accepts a connection. */
async function faultOf({ driver, native, isOperatorAddress }: DeviceAssignment): Promise<string> {
  const url = dialledUrl(driver, native);
  if (url === undefined || !URL.canParse(url)) return 'no address';
  const { hostname: host, port, protocol } = new URL(url);
  const { signal } = new AbortController();
  const context = contexts.context(isOperatorAddress, signal, null);
  const target = { host, port: Number(port || USUAL_PORTS[protocol]), tls: false, timeoutMs: TIMEOUT_MS, signal };
  try {
    const socket = await context.dial(target);
    socket.on('error', ignore);
    socket.destroy();
    return '';
  } catch (error) {
    return error instanceof DeviceFault ? error.kind : 'unreachable';
  }
}

function ignore(): undefined {
  return undefined;
}
