// Composes the demo: all devices of the scenario, an address that refuses, the control port, and the ready line.

import { createServer, type AddressInfo } from 'node:net';
import { ControlServer } from './control/control-server.ts';
import type { DiscoveryPlace } from '@vedette/protocols/ws-discovery/client.ts';
import type { DevicePlan } from './device/device-plan.ts';
import { VirtualDevice } from './host/virtual-device.ts';
import { type DiscoverableDevice, DiscoveryResponder } from './discovery/discovery-responder.ts';
import { RecordingGenerator } from './recordings/recording-generator.ts';
import { scopeWords } from './onvif/scope-words.ts';
import type { ReadyDevice, ReadyLine, RunningDevices } from './control/ready-line.ts';
import { demoDevices, offlineCamera, plainCameras, spareDevices, specialDevices } from './scenario.ts';
import type { StreamClock } from './stream/live-stream.ts';

export interface DemoOptions {
  readonly host: string;
  /** Ports are taken one after the other from here; 0: any free ones. */
  readonly port: number;
  readonly password: string;
  readonly clock: StreamClock;
  readonly utcOffset: (utcMs: number) => number;
  readonly report: (error: unknown) => void;
  /** Where Probes are answered; absent: nowhere. */
  readonly discovery?: DiscoveryPlace | null;
  /** That many plain cameras instead of the demo's devices. */
  readonly cameras?: number | null;
  /** Further cameras, which the ready line does not name: they are there to be found. */
  readonly hasSpares?: boolean;
  /** A radar, a door controller and an AI box instead of the demo's devices. */
  readonly isSpecial?: boolean;
}

export async function startDemo(options: DemoOptions): Promise<RunningDevices> {
  let next = options.port;
  const takePort = () => (next === 0 ? 0 : next++);
  const devices: VirtualDevice[] = [];
  const recordingGenerator = new RecordingGenerator();
  const plans = plansOf(options);
  for (const [index, plan] of [...plans, ...(options.hasSpares ? spareDevices() : [])].entries()) {
    const device = new VirtualDevice({
      plan,
      host: options.host,
      httpPort: takePort(),
      rtspPort: takePort(),
      clock: options.clock,
      utcOffset: options.utcOffset,
      seed: index + 1,
      recordingGenerator,
      report: options.report,
    });
    await device.start();
    devices.push(device);
  }
  const control = new ControlServer({ devices, clock: options.clock });
  const controlUrl = await control.listen(takePort(), options.host);
  const responder = options.discovery
    ? new DiscoveryResponder({ place: options.discovery, devices: devices.map(discoverable), report: options.report })
    : null;
  const discoveryPort = await responder?.start();
  const refusing = `http://${options.host}:${await refusingPort(options.host)}/onvif/device_service`;
  const ready: ReadyLine = {
    event: 'ready',
    devices: [
      ...devices.slice(0, plans.length).map((device) => readyDevice(device)),
      { ...offlineCamera, kind: 'offline', target: refusing, user: 'admin', password: options.password },
    ],
    controlUrl,
    ...(discoveryPort !== undefined && { discoveryPort }),
  };
  return {
    ready,
    stop: async () => {
      await responder?.stop();
      await Promise.all([control.close(), ...devices.map((device) => device.stop())]);
      await recordingGenerator.close();
    },
  };
}

function plansOf({ cameras, isSpecial = false, password }: DemoOptions): DevicePlan[] {
  if (typeof cameras === 'number') return plainCameras(cameras, password);
  return isSpecial ? specialDevices(password) : demoDevices(password);
}

function discoverable(device: VirtualDevice): DiscoverableDevice {
  const { plan } = device;
  return {
    serial: plan.serial,
    scopes: scopeWords(plan),
    get target() {
      return device.target;
    },
    get isRunning() {
      return device.isRunning;
    },
  };
}

function readyDevice({ plan, target }: VirtualDevice): ReadyDevice {
  const { name, kind, user, password, organization } = plan;
  return { name, kind, target, user, password, organization };
}

/** A port that was free a moment ago: connecting to it is refused. */
function refusingPort(host: string): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
