// A remote site that was let in and then floods the server: it is read more slowly, memory stays bounded, and nobody else waits.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait-for.ts';
import { HostileStage, millisecondsOf } from './hostile-stage.ts';
import { deviceEvent } from './scripted-site.ts';

const MOTION = 'tns1:RuleEngine/CellMotionDetector/Motion';

let stage: HostileStage;

beforeAll(async () => {
  stage = await HostileStage.start();
});

beforeEach(async () => await stage.calm());

afterAll(async () => await stage?.stop());

describe('[SE-85] a far site that floods', () => {
  const memory = (): number =>
    Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${stage.server.processId}/status`, 'utf8'))?.[1] ?? 0) / 1024;

  /** The slowest of the tenant's calls while `work` goes on; ms. */
  async function slowestBeside(work: Promise<unknown>): Promise<number> {
    let isOver = false;
    const ended = work.finally(() => {
      isOver = true;
    });
    let slowest = 0;
    do {
      slowest = Math.max(slowest, await millisecondsOf(() => stage.tenant.ok('device/list', {})));
    } while (!isOver);
    await ended;
    return slowest;
  }

  /** As fast as the line takes it, in messages of any size, until so many were sent or the server has stopped reading. */
  async function pour(text: string, count: number): Promise<void> {
    const { socket } = stage.far;
    const until = performance.now() + 5000;
    for (let sent = 0; sent < count && socket.readyState === socket.OPEN; sent += 1) {
      socket.send(text);
      if (sent % 500 !== 0 && socket.bufferedAmount < 4_000_000) continue;
      await new Promise((resolve) => setImmediate(resolve));
      await waitFor('the line', () => socket.bufferedAmount < 4_000_000 || performance.now() > until, 20_000);
      if (performance.now() > until) return;
    }
  }

  it.each([
    ['tries of viewers', () => JSON.stringify({ type: 'direct', at: 1, isConnected: true }), 300_000],
    ['events that are none', () => JSON.stringify({ type: 'event', seq: 1e9, event: {} }), 300_000],
    ['answers of a megabyte', () => JSON.stringify({ type: 'answer', id: 1e9, code: 200, data: 'x'.repeat(1e6) }), 300],
    [
      'events of nobody',
      () => JSON.stringify({ type: 'event', seq: 1e9, event: deviceEvent('NOBODY', { topic: MOTION }) }),
      300_000,
    ],
  ] as const)(
    'with %s is read more slowly, and nobody else is',
    async (_what, text, count) => {
      const before = memory();
      const slowest = await slowestBeside(pour(text(), count));
      expect(slowest).toBeLessThan(2000);
      expect(memory() - before).toBeLessThan(200);
      stage.far.close();
      await waitFor('the server to notice', async () => !(await stage.isOnline()));
    },
    60_000,
  );

  it('with connections is let in later', async () => {
    const closed = stage.far.closed.length;
    for (let count = 0; count < 40; count += 1) {
      await stage.far.connect();
      await new Promise((resolve) => stage.far.socket.once('message', resolve).once('close', resolve));
      stage.far.close();
    }
    await waitFor('all to be closed', () => stage.far.closed.length >= closed + 40);
    expect(stage.far.closed.slice(closed)).toContain(1013);
    expect(await stage.statusOf(stage.nearSerial)).toBe(1);
    await stage.local.reportEvent(stage.nearSerial, { topic: MOTION, phase: 'pulse', key: 'at the end' });
  });
});
