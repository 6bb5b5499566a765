// npm run bench:events: latency of an event from device to server, and the cost of a thousand idle subscriptions.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { onvifDriver } from '../drivers/onvif/onvif-driver.ts';
import type { Driver } from '@vedette/drivers/kit/driver.ts';
import { testContext } from '@vedette/drivers/testing/driver-context.fake.ts';
import { SiteProcess } from '../tests/harness/site-process.ts';
import { startVirtualSite } from '../tests/harness/virtual-site.ts';
import { waitFor } from '../tests/harness/wait-for.ts';
import { JsonLineProcess, passes } from './measure/json-line-process.ts';
import { rounded } from './measure/figures.ts';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '200' },
    devices: { type: 'string', default: '1000' },
    /** At least one whole round of pulls. */
    seconds: { type: 'string', default: '65' },
  },
});

/** Devices that are begun with at once. */
const WAVE = 50;

const latency = await measureLatency(Number(values.events));
const idle = await measureIdle(Number(values.devices), Number(values.seconds));
const result = { bench: 'events', load: rounded(loadavg()[0] ?? 0), latency, idle };
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);

/** From the moment the device is told to raise it until it stands at the server, kept on the site's disk on its way; ms. */
async function measureLatency(count: number) {
  const [site, virtual] = await Promise.all([SiteProcess.create(), startVirtualSite()]);
  try {
    await site.serve();
    await site.start();
    const camera = virtual.devices.find((one) => one.kind === 'camera');
    if (camera === undefined) throw new Error('no camera');
    const { target, user, password } = camera;
    const found = await site.ok('probe', { target, user, password, isOperator: true });
    const { deviceSerial, driver, native } = found;
    const device = { deviceSerial, driver, native, user, password, isOperatorAddress: true, channels: [] };
    const control = async (command: string, input: object) =>
      await fetch(`${virtual.controlUrl}/devices/${deviceSerial}/${command}`, {
        method: 'POST',
        body: JSON.stringify(input),
      });
    await control('events', { watchesScenes: false });
    await site.ok('assign', { devices: [device], settings: site.settings });
    const has = (key: string) => site.events.some((one) => one.kind === 'deviceEvent' && one.key === key);
    await waitFor('the subscription', async () => {
      await control('raise', { topic: 'tns1:Device/Trigger/DigitalInput', key: 'first' });
      return has('first');
    });
    const times: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const key = `event${index}`;
      const startedMs = performance.now();
      await control('raise', { topic: 'tns1:Device/Trigger/DigitalInput', key });
      while (!has(key)) await passes(1);
      times.push(performance.now() - startedMs);
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => rounded(times[Math.min(count - 1, Math.floor(count * share))] ?? 0);
    return { events: count, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
  } finally {
    await Promise.all([site.stop(), virtual.stop()]);
  }
}

/** Percent of one core that this process needs, the devices being another. */
async function measureIdle(count: number, seconds: number) {
  const child = new JsonLineProcess(new URL('./idle-devices.ts', import.meta.url).pathname, [String(count)]);
  const urls = JSON.parse(await child.line()) as string[];
  const context = testContext();
  const leaving = new AbortController();
  let listening = 0;
  let broken = 0;
  const drivers: Driver[] = [];
  const listen = async (url: string): Promise<void> => {
    const native = { url, keepHost: true, authMode: 'ws-security', sources: [] };
    const driver = onvifDriver.open({ native, credentials: { user: 'admin', password: 'x' }, context });
    drivers.push(driver);
    await driver.listen?.({
      onEvent: () => undefined,
      onState: ({ kind }) => {
        if (kind === 'listening') listening += 1;
        else broken += 1;
      },
      signal: leaving.signal,
    });
  };
  const feeds: Promise<void>[] = [];
  try {
    for (const url of urls) {
      feeds.push(listen(url));
      if (feeds.length % WAVE > 0 && feeds.length < count) continue;
      await waitFor(`subscription ${feeds.length}`, () => listening >= feeds.length, 60_000);
    }
    const [rssBytes, before, startedMs] = [process.memoryUsage.rss(), process.cpuUsage(), performance.now()];
    await passes(seconds * 1000);
    const used = process.cpuUsage(before);
    const wallMs = performance.now() - startedMs;
    return {
      devices: count,
      corePercent: rounded(((used.user + used.system) / 1000 / wallMs) * 100),
      rssMb: Math.round(rssBytes / 1e6),
      broken,
    };
  } finally {
    leaving.abort();
    await Promise.allSettled(feeds);
    await Promise.all(drivers.map((driver) => driver.close()));
    await child.stop();
  }
}
