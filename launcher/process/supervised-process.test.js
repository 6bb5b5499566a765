// Supervision of real small processes: ready lines, failures, backoff, graceful and forced stop.
import { afterEach, describe, expect, it } from 'vitest';
import { identify } from './identity.js';
import { SupervisedProcess } from './supervised-process.js';

/** @type {SupervisedProcess[]} */
let started = [];
afterEach(async () => {
  await Promise.all(started.map((child) => child.end()));
  started = [];
});

/**
 * @param {string} code JavaScript of the child
 * @param {Partial<import('./supervised-process.js').ProcessOptions>} [more]
 */
function supervise(code, more = {}) {
  /** @type {string[]} */
  const log = [];
  const child = new SupervisedProcess({
    name: 'thing',
    describe: () => ({ command: process.execPath, args: ['-e', code], env: {} }),
    log: (line) => log.push(line),
    backOff: { firstMs: 10, factor: 2, longestMs: 50 },
    ...more,
  });
  started.push(child);
  return { child, log };
}

const serve = 'console.log(JSON.stringify({event:"ready",port:7}));setInterval(()=>{},1000);';

it('returns the content of the ready line and logs every other line', async () => {
  const { child, log } = supervise(`console.log("hello");${serve}console.log("{later");console.error("oops")`);
  expect(await child.start()).toEqual({ event: 'ready', port: 7 });
  await expect.poll(() => log).toEqual(expect.arrayContaining(['hello', '{later', 'oops']));
});

it('restarts a child that exits and reports each start', async () => {
  let readies = 0;
  const onReady = () => {
    readies += 1;
  };
  const { child } = supervise(`console.log('{"event":"ready"}');process.exitCode=3`, { onReady });
  await child.start();
  await expect.poll(() => readies).toBeGreaterThan(2);
});

it('[FT-18] restarts a child that was ready almost at once, others with backoff', async () => {
  const backOff = { firstMs: 60_000, factor: 1, longestMs: 60_000 };
  const mortal = `${serve}process.stdin.once("data",()=>process.exit(3));`;
  const readies = { served: 0, failed: 0 };
  const { child } = supervise(mortal, { backOff, onReady: () => void readies.served++ });
  const { child: other, log } = supervise(mortal, { backOff, onReady: () => void readies.failed++ });
  await Promise.all([child.start(), other.start()]);
  other.send('die');
  const servesSince = performance.now();
  await expect.poll(() => performance.now() - servesSince, { timeout: 10_000 }).toBeGreaterThan(3050);
  child.send('die');
  await expect.poll(() => readies.served, { timeout: 10_000 }).toBe(2);
  expect(log).toContainEqual(expect.stringContaining('starting it again'));
  expect(readies.failed).toBe(1);
});

describe('a child that never becomes ready', () => {
  it('is abandoned after some attempts, with its last output', async () => {
    const { child } = supervise('console.error("the reason");process.exit(4)');
    const failure = expect.objectContaining({ code: 'thingFailed', hint: expect.stringContaining('the reason') });
    await expect(child.start()).rejects.toEqual(failure);
  });

  it('is abandoned at once when it reports a reason', async () => {
    const { child } = supervise(`console.log('{"event":"failed","code":"portInUse","message":"taken"}')`, {
      firstTries: 99,
    });
    await expect(child.start()).rejects.toMatchObject({ code: 'portInUse', message: 'taken' });
  });

  it('is abandoned when its program does not exist', async () => {
    const describe = () => ({ command: '/nonexistent', args: [], env: {} });
    await expect(supervise('', { describe, firstTries: 0 }).child.start()).rejects.toMatchObject({
      code: 'thingFailed',
    });
  });

  it('is killed when it takes too long', async () => {
    const { child } = supervise('setInterval(()=>{},1000)', { readyMs: 100, firstTries: 0 });
    await expect(child.start()).rejects.toMatchObject({ message: expect.stringContaining('SIGKILL') });
  });
});

describe('shutdown', () => {
  it('waits for an orderly exit', async () => {
    const { child, log } = supervise(`process.on("SIGTERM",()=>{console.error("tidy");process.exit()});${serve}`);
    await child.start();
    await child.end();
    expect(log).toContain('tidy');
    expect(child.pid).toBeNull();
  });

  it('is forced after the grace period, grandchildren included', async () => {
    const grandchild =
      'const c=require("child_process").spawn("sleep",["600"],{stdio:"ignore"});console.error("pid",c.pid);';
    const { child, log } = supervise(`${grandchild}process.on("SIGTERM",()=>{});${serve}`, { graceMs: 50 });
    await child.start();
    await expect.poll(() => log.find((line) => line.startsWith('pid '))).toBeDefined();
    const pid = Number(log.find((line) => line.startsWith('pid '))?.slice(4));
    await child.end();
    await expect.poll(() => identify(pid)).toBeNull();
  });

  it('aborts a start that is not complete', async () => {
    const { child } = supervise('setInterval(()=>{},1000)', { graceMs: 50 });
    const [start] = await Promise.allSettled([child.start(), child.end()]);
    expect(start).toMatchObject({ status: 'rejected', reason: { code: 'stopped' } });
  });
});
