// Devices with costly answers: recordings beside them lose nothing, the device goes offline with an alarm, others continue.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeviceAssignment, SiteHealth } from '@vedette/contract/site/site.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CAMERA_ACCOUNT, type CountedCamera, startCountedCamera } from '../harness/counted-camera.ts';
import { counterBreaks, countedFrames } from '../harness/counted-frames.ts';
import { IdleLoop } from '../harness/idle-loop.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { waitFor } from '../harness/wait-for.ts';
import { COSTLY_ANSWERS, CostlyServices, eventFlood, SwitchingServices } from '../peers/hostile-services.ts';

/** What a hostile device may add to the delay of the recorder's event loop. */
const DELAY_MAX_MS = 250;
const SPIN_PRELOAD = new URL('../peers/spin-preload.js', import.meta.url).href;
const OWN = { isOperator: true, ...CAMERA_ACCOUNT } as const;

let site: SiteProcess;
let cameras: CountedCamera[];
let turning: SwitchingServices[];
let recorded: DeviceAssignment;
let neighbour: DeviceAssignment;
let idle: IdleLoop;
/** Of the recorder's loop, before anything means harm. */
let quietMs: number;
const figures: Record<string, number> = {};

const onvifOf = ({ device }: CountedCamera): string => device.httpUrl('/onvif/device_service');
const portOf = (camera: CountedCamera): number => Number(new URL(onvifOf(camera)).port);
const cameraAt = (index: number): CountedCamera => cameras[index] as CountedCamera;
const turningAt = (index: number): SwitchingServices => turning[index] as SwitchingServices;

beforeAll(async () => {
  [site, cameras] = await Promise.all([
    SiteProcess.create({ NODE_OPTIONS: `--import=${SPIN_PRELOAD}` }),
    Promise.all([1, 2, 3, 4].map(() => startCountedCamera())),
  ]);
  turning = await Promise.all(
    [2, 3].map((index) => new SwitchingServices(portOf(cameraAt(index))).listen('127.0.0.1')),
  );
  await site.serve();
  await site.start();
  recorded = await looked(cameraAt(0).url(), true);
  neighbour = await looked(onvifOf(cameraAt(1)));
  await assign([recorded, neighbour]);
  await waitFor('the recording', async () => (await spanMs()) > 2000);
  quietMs = (await loops()).delayMaxMs;
  idle = await IdleLoop.start();
}, 60_000);

afterAll(async () => {
  await Promise.all([site?.stop(), idle?.stop()]);
  for (const one of turning ?? []) await one.close();
  for (const camera of cameras ?? []) await camera.stop();
});

async function looked(target: string, isRecorded = false): Promise<DeviceAssignment> {
  const { deviceSerial, driver, native } = await site.ok('probe', { target, ...OWN });
  const record = isRecorded ? ({ quality: 0, retentionDays: 30 } as const) : null;
  const channels = [{ channelNo: 1, channelId: `c${deviceSerial}`, record, backfillFrom: null }];
  return { deviceSerial, driver, native, ...CAMERA_ACCOUNT, isOperatorAddress: true, channels };
}

const assign = (devices: DeviceAssignment[]) => site.ok('assign', { devices, settings: site.settings });

async function loops(): Promise<NonNullable<SiteHealth['loops']>> {
  const { loops } = await site.ok('health', {});
  if (!loops) throw new Error('the site tells nothing of its loops');
  return loops;
}

async function spanMs(): Promise<number> {
  const [channel] = recorded.channels;
  const range = { startTime: 0, endTime: Date.now() + 1000 };
  const { spans } = await site.ok('recordings', { channelId: channel?.channelId ?? '', quality: 0, ...range });
  return spans.reduce((sum, span) => sum + span.endTime - span.startTime, 0);
}

function statusOf(serial: string): { status: number; reason: string | null } | undefined {
  const last = site.events.findLast((event) => event.kind === 'deviceStatus' && event.deviceSerial === serial);
  return last?.kind === 'deviceStatus' ? { status: last.status, reason: last.reason } : undefined;
}

const alarmsOf = (serial: string) =>
  site.events.filter((event) => event.kind === 'deviceEvent' && event.deviceSerial === serial);

/** How long the neighbour takes to answer something that only it can answer. */
async function neighbourMs(): Promise<number> {
  const startedMs = performance.now();
  const { deviceSerial } = neighbour;
  await waitFor('the neighbour to answer', async () => {
    const { code } = await site.call('configRead', { deviceSerial, channelNo: 1, section: 'time' });
    if (code !== 200) throw new Error(String(code));
    return true;
  });
  return performance.now() - startedMs;
}

/** What is beyond the quiet time, and beyond what this machine does to an idle process meanwhile. */
async function addedMs(): Promise<number> {
  const [{ delayMaxMs }, idleMs] = await Promise.all([loops(), idle.maxMs()]);
  figures['idleMs'] = idleMs;
  return Math.max(0, delayMaxMs - Math.max(quietMs, idleMs));
}

describe('a hostile device', () => {
  it('[SE-78] [SE-82] answers of four megabytes, costly in ten ways, delay no recording, whoever probes them', async () => {
    const servers = await Promise.all(
      COSTLY_ANSWERS.map(([, act], index) => new CostlyServices(act).listen(`127.0.1.${index + 1}`)),
    );
    const answers = await Promise.all(
      servers.map(async ({ target }, index) => {
        const { code } = await site.call('probe', { target, ...OWN });
        return [COSTLY_ANSWERS[index]?.[0], code] as const;
      }),
    );
    for (const server of servers) await server.close();
    expect(answers.filter(([, code]) => code !== 2316 && code !== 2317)).toEqual([]);
    figures['answersAddedMs'] = await addedMs();
    expect(figures['answersAddedMs']).toBeLessThanOrEqual(DELAY_MAX_MS);
    expect((await loops()).driverRestarts).toBe(0);
    figures['neighbourMs'] = await neighbourMs();
  }, 60_000);

  it('[SE-82] an event flood is cut and counted, and a device that uses a whole core goes offline as misbehaving, with an alarm', async () => {
    const device = await looked(turningAt(0).target);
    const { deviceSerial } = device;
    await assign([recorded, neighbour, device]);
    await waitFor('the device online', () => statusOf(deviceSerial)?.status === 1);
    turningAt(0).events = eventFlood();
    await waitFor('events to be held back', async () => {
      const { events } = await site.ok('health', {});
      figures['heldBack'] = events?.heldBack ?? 0;
      // Some thousand of one answer do not even cross to the recorder's loop, and are counted all the same.
      if (figures['heldBack'] < 5000) throw new Error(JSON.stringify(events));
      return true;
    });
    figures['eventsAddedMs'] = await addedMs();
    turningAt(0).spinMs = 1000;
    await waitFor('the device left alone', () => statusOf(deviceSerial)?.reason === 'misbehaving', 60_000);
    expect(alarmsOf(deviceSerial).at(-1)).toMatchObject({
      topic: 'tnsvdt:Alarm/AttackDetected',
      phase: 'pulse',
      key: 'misbehaving',
    });
    figures['floodNeighbourMs'] = await neighbourMs();
    // By now what was under way when it was left alone has come in.
    const { answers } = turningAt(0);
    figures['floodAddedMs'] = await addedMs();
    expect(figures['floodAddedMs']).toBeLessThanOrEqual(DELAY_MAX_MS);
    await neighbourMs();
    // Left alone: nothing more was asked meanwhile, though others were.
    expect(turningAt(0).answers).toBe(answers);
    expect(await loops()).toMatchObject({ barred: 1 });
  });

  it('[SE-82] an endless answer is abandoned within seconds, and other devices are polled again', async () => {
    const { driverRestarts } = await loops();
    turningAt(1).spinMs = 3_600_000;
    const startedMs = performance.now();
    const asked = site.call('probe', { target: turningAt(1).target, ...OWN });
    await waitFor('the drivers started anew', async () => (await loops()).driverRestarts > driverRestarts);
    figures['givenUpMs'] = performance.now() - startedMs;
    expect((await asked).data).toMatchObject({ reason: 'misbehaving' });
    figures['afterHangMs'] = await neighbourMs();
    expect(figures['afterHangMs']).toBeLessThan(5000);
    figures['hangAddedMs'] = await addedMs();
    expect(figures['hangAddedMs']).toBeLessThanOrEqual(DELAY_MAX_MS);
    expect(statusOf(neighbour.deviceSerial)?.status).toBe(1);
  });

  it('lost no frame of the recording beside it', async () => {
    await assign([neighbour]);
    const names = await readdir(site.recordings, { recursive: true });
    const files = names.filter((name) => name.endsWith('.mp4')).sort();
    const frames = (await Promise.all(files.map((name) => countedFrames(join(site.recordings, name))))).flat();
    figures['frames'] = frames.length;
    figures['lost'] = counterBreaks(frames).length;
    const rounded = Object.entries(figures).map(([name, value]) => [name, Math.round(value)]);
    process.stdout.write(`hostile-device: ${JSON.stringify(Object.fromEntries(rounded))}\n`);
    expect(counterBreaks(frames)).toEqual([]);
    expect(frames.length).toBeGreaterThan(100);
    expect(site.log.filter((line) => /uncaught|unhandled/i.test(line))).toEqual([]);
  });
});
