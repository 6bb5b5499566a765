// What every driver must do, as tests: run against a real or virtual device by whoever can start one.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { DeviceEvent } from '@vedette/contract/device-event.ts';
import { sectionLimits, sectionValues } from '@vedette/contract/config/section-schemas.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { dialledUrl, unaskedAddress } from '../addresses.ts';
import { DeviceFault, deviceError } from '../kit/device-fault.ts';
import type { Candidate, DeviceCredentials, Driver } from '../kit/driver.ts';
import { probe } from '../probe.ts';
import { parseProbeTarget } from '../probe-target.ts';
import { driverById } from '../registry.ts';
import { type TestContext, testContext } from '../testing/driver-context.fake.ts';

export interface ConformanceSubject {
  readonly target: string;
  readonly credentials: DeviceCredentials | null;
  readonly stop: () => Promise<void>;
  /** Makes the device tell that its input of this name is on. Absent: it tells nothing. */
  readonly raiseInput?: (key: string) => Promise<void>;
}

export interface ConformanceOptions {
  readonly name: string;
  readonly driver: string;
  /** Channels the device has. */
  readonly channels: number;
  /** False for a device that asks for no password. */
  readonly asksPassword: boolean;
  readonly start: () => Promise<ConformanceSubject>;
}

interface Running extends ConformanceOptions {
  readonly subject: ConformanceSubject;
  readonly context: TestContext;
  readonly candidate: Candidate;
  readonly opened: Driver;
}

type Check = (running: Running) => void | Promise<void>;

export function driverConformance(options: ConformanceOptions): void {
  describe(`driver conformance: ${options.name}`, () => {
    let running: Running;

    beforeAll(async () => {
      const subject = await options.start();
      const context = testContext();
      const candidate = await look(subject.target, subject.credentials, context);
      running = { ...options, subject, context, candidate, opened: open(candidate, subject, context) };
    }, 60_000);

    afterAll(async () => {
      await running?.opened.close();
      await running?.subject.stop();
    });

    const applicable = checks.filter(([, check]) => check !== wrongPassword || options.asksPassword);
    test.each(applicable)('%s', (_, check) => check(running));
  });
}

const namesDevice: Check = ({ candidate, driver, channels }) => {
  expect(candidate.driver).toBe(driver);
  expect(candidate.serial).toMatch(/^[A-Za-z0-9]{1,20}$/u);
  const numbers = candidate.channels.map(({ channelNo }) => channelNo);
  expect(numbers).toEqual(Array.from({ length: channels }, (_, index) => index + 1));
};

const countsStreams: Check = ({ candidate }) => {
  for (const { streams } of candidate.channels.filter((channel) => channel.streams.length > 0)) {
    expect(streams.map(({ quality }) => quality)).toEqual([0, 1, 2].slice(0, streams.length));
    expect(streams[0]?.codec).toMatch(/^h26[45]$/u);
  }
};

const staysItself: Check = async ({ subject, candidate }) => {
  expect((await look(subject.target, subject.credentials, testContext())).serial).toBe(candidate.serial);
};

const describesAlike: Check = async ({ candidate, opened }) => {
  const { driver: _driver, native: _native, warnings: _warnings, ...probed } = candidate;
  expect(await opened.describe()).toMatchObject(probed);
  await opened.check();
};

const givesSources: Check = async ({ candidate, opened, subject }) => {
  for (const { channelNo } of candidate.channels.filter(({ streams }) => streams.length > 0)) {
    const channel = await opened.channel(channelNo);
    for (const quality of [0, 1, 2] as const) {
      const source = await channel.source(quality);
      expect(source).toMatchObject({ kind: 'rtsp-pull', credentials: subject.credentials });
      expect(source.url).toMatch(/^rtsps?:\/\/[^@]+$/u);
    }
    if (channel.snapshot !== undefined) {
      expect((await channel.snapshot()).data.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
    }
    await channel.keyframe?.(0);
  }
};

const keepsAddress: Check = ({ candidate, subject, opened }) => {
  const { host } = new URL(subject.target);
  expect(URL.parse(dialledUrl(candidate.driver, candidate.native) ?? '')?.host).toBe(host);
  const { driver, native } = unaskedAddress(subject.target);
  expect(driver).toBe(candidate.driver);
  expect(URL.parse(dialledUrl(driver, native) ?? '')?.host).toBe(host);
  expect(driverById(driver)?.open({ native, credentials: null, context: testContext() }).endpoint).toEqual(
    opened.endpoint,
  );
};

const refusesUnknownChannel: Check = async ({ opened, channels }) => {
  expect(await errorOf(opened.channel(channels + 1))).toEqual({ code: 1009, data: {} });
};

const wrongPassword: Check = async ({ subject, context }) => {
  const wrong = { user: subject.credentials?.user ?? 'admin', password: 'canary-wrong-7' };
  for (const credentials of [wrong, null]) {
    const error = await errorOf(look(subject.target, credentials, context));
    expect(error).toMatchObject({ code: 2316, data: { reason: 'deviceAuth' } });
  }
  expect(context.logged()).not.toContain('canary-wrong-7');
};

const keepsSecrets: Check = ({ subject, candidate, context }) => {
  const secret = subject.credentials?.password ?? 'there is no password';
  expect(JSON.stringify(candidate)).not.toContain(secret);
  expect(context.logged()).not.toContain(secret);
};

const tellsOthersApart: Check = async ({ subject, context }) => {
  const mail = createServer((socket) => socket.resume().end('220 mail.example ESMTP\r\n'));
  mail.listen(0, '127.0.0.1');
  await once(mail, 'listening');
  const { port } = mail.address() as AddressInfo;
  const elsewhere = subject.target.replace(/:\d+(?=\/|$)/u, `:${port}`);
  const spoken = await errorOf(look(elsewhere, subject.credentials, context));
  expect(spoken).toMatchObject({ code: 2316, data: { reason: 'wrongProtocol' } });
  mail.close();
  await once(mail, 'close');
  const silent = await errorOf(look(elsewhere, subject.credentials, context));
  expect(silent).toMatchObject({ code: 2317, data: { reason: 'unreachable' } });
};

const obeysPolicy: Check = async ({ subject }) => {
  const guest = testContext({ isOperator: false });
  const error = await errorOf(look(subject.target, subject.credentials, guest));
  expect(error).toMatchObject({ code: 2316, data: { reason: 'refusedAddress' } });
};

const letsCallersLeave: Check = async ({ opened }) => {
  opened.refresh();
  await expect(opened.describe(AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
  await opened.describe();
};

const tellsEvents: Check = async ({ opened, subject }) => {
  // A driver without events has no member for them; a device without raises none.
  if (opened.listen === undefined || subject.raiseInput === undefined) return;
  for (const key of ['first', 'again']) {
    const leaving = new AbortController();
    const events: DeviceEvent[] = [];
    const onState = vi.fn();
    const done = opened.listen({ onEvent: (event) => events.push(event), onState, signal: leaving.signal });
    await vi.waitFor(() => expect(onState).toHaveBeenCalledWith({ kind: 'listening' }), { timeout: 10_000 });
    await subject.raiseInput(key);
    await vi.waitFor(() => expect(events.map((event) => event.key)).toContain(key), { timeout: 10_000 });
    const reported = events.find((event) => event.key === key);
    expect(reported).toMatchObject({ phase: 'start', channelNo: 0 });
    expect(reported?.topic).toMatch(/^(?:tns\w+:|\{)/u);
    leaving.abort();
    await done;
  }
};

const closes: Check = async ({ candidate, subject, context }) => {
  const other = open(candidate, subject, context);
  await other.close();
  await other.close();
  await expect(other.describe()).rejects.toThrow('closed');
};

const keepsConfig: Check = async ({ opened }) => {
  const { config } = await opened.channel(1);
  for (const name of (await config?.names()) ?? []) {
    const section = config?.section(name);
    const before = await section?.read();
    if (section === null || section === undefined || before === undefined)
      throw new Error(`${name} is named and not there`);
    expect(sectionValues[name].safeParse(before.value).error, name).toBeUndefined();
    expect(sectionLimits[name].safeParse(before.capabilities).error, name).toBeUndefined();
    await section.write(before.value, before);
    // A clock goes on meanwhile.
    expect({ ...(await section.read()).value, now: 0 }, name).toEqual({ ...before.value, now: 0 });
  }
};

const findsRecordings: Check = async ({ candidate, opened, subject }) => {
  const [from, to] = [Date.now() - 3 * 3_600_000, Date.now()];
  for (const { channelNo, capabilities = [] } of candidate.channels) {
    const channel = await opened.channel(channelNo);
    const keeps = [...candidate.channelCapabilities, ...capabilities].includes('replay');
    expect([channel.recorded !== undefined, channel.replay !== undefined]).toEqual([keeps, keeps]);
    if (!channel.recorded || !channel.replay) continue;
    let at = from;
    for (const span of await channel.recorded(from, to)) {
      expect(span.from).toBeGreaterThanOrEqual(at);
      expect(span.to).toBeGreaterThan(span.from);
      at = span.to;
    }
    expect(at).toBeLessThanOrEqual(to);
    expect(await channel.recorded(to, from)).toEqual([]);
    const source = await channel.replay(from, to);
    expect(source).toMatchObject({ kind: 'rtsp-replay', credentials: subject.credentials, from, to });
    expect(source.url).toMatch(/^rtsps?:\/\/[^@]+$/u);
  }
};

const movesPtz: Check = async ({ opened }) => {
  const { channels } = await opened.describe();
  for (const { channelNo, capabilities = [] } of channels) {
    const { ptz } = await opened.channel(channelNo);
    expect(ptz === undefined, `channel ${channelNo}`).toBe(capabilities.length === 0);
    if (ptz === undefined) continue;
    if (capabilities.includes('ptz')) {
      await ptz.move({ axis: 'panTilt', pan: 0.2, tilt: 0 }, 1500);
      expect(await ptz.isMoving()).not.toBe(false);
      await ptz.stop('panTilt');
      await vi.waitFor(async () => expect(await ptz.isMoving()).not.toBe(true), { timeout: 10_000 });
    }
    if (!capabilities.includes('iris')) {
      await expect(ptz.move({ axis: 'iris', speed: 1 }, 1500)).rejects.toMatchObject({ kind: 'not-supported' });
    }
    if (ptz.presets === undefined) continue;
    const token = await ptz.presets.add('Conformance');
    await ptz.presets.goto(token);
    expect((await ptz.presets.list()).map((preset) => preset.token)).toContain(token);
    await ptz.presets.remove(token);
    expect((await ptz.presets.list()).map((preset) => preset.token)).not.toContain(token);
  }
};

const keepsPromises: Check = async ({ opened }) => {
  const { capabilities, channelCapabilities } = await opened.describe();
  expect(opened.reboot !== undefined).toBe(capabilities.includes('reboot'));
  if (capabilities.includes('upgrade')) expect(opened.upgrade).toBeDefined();
  const channel = await opened.channel(1);
  const members = {
    snapshot: channel.snapshot,
    keyframe: channel.keyframe,
    talk: channel.talk,
    replay: channel.replay,
  };
  for (const [name, member] of Object.entries(members)) {
    const isSaid = channelCapabilities.some((capability) => capability === name);
    // Whether it listens an RTSP device tells only when it is asked to.
    if (isSaid || name !== 'talk') expect(member !== undefined, name).toBe(isSaid);
  }
};

const checks: readonly (readonly [title: string, check: Check])[] = [
  ['a probe names the driver, a valid serial, and channels counted from 1', namesDevice],
  ['streams are counted from main, and the main one can be shown', countsStreams],
  ['the same device probed again is the same device', staysItself],
  ['opened from its saved record it describes itself alike', describesAlike],
  ['every channel gives a stream address without credentials, for every quality', givesSources],
  ['a channel it does not have is 1009', refusesUnknownChannel],
  ['a wrong password, and none, is 2316 deviceAuth, and no password reaches the log', wrongPassword],
  ['secrets are in no answer and in no log', keepsSecrets],
  ['where something else speaks it is 2316, where nothing listens it is 2317', tellsOthersApart],
  ['the network policy holds for it', obeysPolicy],
  ['its address record leads to where it was found, also before it was asked', keepsAddress],
  ['a caller that leaves hears its own reason', letsCallersLeave],
  ['what it tells is heard, and heard again after leaving', tellsEvents],
  ['every section it names is read in its form, and written back it stays as it is', keepsConfig],
  [
    'what it keeps itself is told in order, and has an address to replay it; otherwise there is no such member',
    findsRecordings,
  ],
  ['a head it names moves, stops, and keeps presets; what it does not name is 1006', movesPtz],
  ['what it says it can do is there, and little else', keepsPromises],
  ['close may be called twice and ends the driver', closes],
];

function open(candidate: Candidate, subject: ConformanceSubject, context: TestContext): Driver {
  // Through JSON, as it is saved.
  const native: Candidate['native'] = JSON.parse(JSON.stringify(candidate.native));
  const driver = driverById(candidate.driver)?.open({ native, credentials: subject.credentials, context });
  if (driver === undefined) throw new Error(`no driver ${candidate.driver}`);
  return driver;
}

function look(target: string, credentials: DeviceCredentials | null, context: TestContext): Promise<Candidate> {
  const parsed = parseProbeTarget(target);
  if (parsed === null) throw new Error(`not a target: ${target}`);
  return probe({ target: parsed, credentials, context });
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    if (error instanceof DeviceFault) return deviceError(error);
    throw error;
  }
  return 'no error';
}
