// The ONVIF driver against scripted devices, which a test ends together.
import type { Candidate, DeviceCredentials } from '../kit/driver.ts';
import { type TestContext, testContext } from '../testing/driver-context.fake.ts';
import { type Script, type ScriptedCall, ScriptedDevice, type ScriptedReply } from '../testing/scripted-device.fake.ts';
import { onvifDriver } from './onvif-driver.ts';

export const credentials: DeviceCredentials = { user: 'admin', password: 'camera-pass' };
const running: ScriptedDevice[] = [];

export async function scriptedDevice(
  script: Script,
  before?: (call: ScriptedCall) => ScriptedReply | null,
): Promise<ScriptedDevice> {
  const started = await ScriptedDevice.start(script, before);
  running.push(started);
  return started;
}

/** After each test. */
export async function stopDevices(): Promise<void> {
  await Promise.all(running.splice(0).map((started) => started.stop()));
}

export function probeScripted(target: ScriptedDevice, context: TestContext = testContext()): Promise<Candidate> {
  return onvifDriver.probe({ url: target.url, credentials, context });
}
