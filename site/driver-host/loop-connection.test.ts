// One line to the drivers' loop: every call is answered once, by the loop, by its signal or by the end of the loop.
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { LoopConnection } from './loop-connection.ts';
import { toWire } from './fault-wire.ts';
import type { FromLoop, Order, ToLoop } from './wire.ts';

const ORDER: Order = { on: 'driver', driver: 1, name: 'describe', input: null };

let posted: ToLoop[];
let heard: FromLoop[];
let line: LoopConnection;

beforeEach(() => {
  posted = [];
  heard = [];
  const hear = (message: FromLoop): void => void heard.push(message);
  line = new LoopConnection({
    port: { postMessage: (message: ToLoop) => void posted.push(message) },
    onTrust: hear,
    onOver: hear,
    onReady: () => hear({ kind: 'ready' }),
  });
});

const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

test('a call is answered by the answer with its number, in whatever order answers come', async () => {
  const calls = [1, 2, 3].map(() => line.call(5, ORDER));
  expect(posted).toEqual([1, 2, 3].map((call) => ({ kind: 'call', context: 5, call, order: ORDER })));
  for (const call of [2, 3, 1]) line.receive({ kind: 'answer', call, value: `answer ${call}` });
  expect(await Promise.all(calls)).toEqual(['answer 1', 'answer 2', 'answer 3']);
});

test('a fault rejects its own call alone, as what it was in the loop', async () => {
  const [bad, good] = [line.call(5, ORDER), line.call(5, ORDER)];
  line.receive({ kind: 'fault', call: 1, fault: toWire(new DeviceFault('auth', 'no')) });
  line.receive({ kind: 'answer', call: 2, value: 'yes' });
  await expect(bad).rejects.toMatchObject({ name: 'DeviceFault', kind: 'auth', message: 'no' });
  expect(await good).toBe('yes');
});

test('[SE-82] the end of the loop rejects every call that is under way as interrupted, and each later one', async () => {
  const calls = [1, 2, 3].map((context) => outcome(line.call(context, ORDER)));
  line.end();
  const after = outcome(line.call(1, ORDER));
  for (const result of await Promise.all([...calls, after]))
    expect(result).toMatchObject({ error: { name: 'DeviceFault', kind: 'interrupted' } });
  expect(line.isEnded).toBe(true);
  expect(posted, 'nothing is sent to a loop that is no more').toHaveLength(3);
  line.receive({ kind: 'answer', call: 1, value: 'late' });
});

test('[SE-82] all calls of a context that is barred are rejected, those of others go on', async () => {
  const [barred, other] = [outcome(line.call(1, ORDER)), outcome(line.call(2, ORDER))];
  line.rejectOf(1, new DeviceFault('misbehaving', 'left alone'));
  expect(await barred).toMatchObject({ error: { kind: 'misbehaving' } });
  line.receive({ kind: 'answer', call: 2, value: 'on' });
  expect(await other).toEqual({ value: 'on' });
});

test('a signal ends the call at once and tells the loop; one that was over before is never asked', async () => {
  const ending = new AbortController();
  const call = outcome(line.call(5, ORDER, { signal: ending.signal }));
  ending.abort(new Error('enough'));
  expect(await call).toMatchObject({ error: { message: 'enough' } });
  expect(posted.at(-1)).toEqual({ kind: 'abort', call: 1 });
  const count = posted.length;
  expect(await outcome(line.call(5, ORDER, { signal: ending.signal }))).toMatchObject({ error: { message: 'enough' } });
  expect(posted).toHaveLength(count);
});

test('a patient call tells the loop of the signal and waits for its answer all the same', async () => {
  const ending = new AbortController();
  const call = line.call(5, ORDER, { signal: ending.signal, isPatient: true });
  ending.abort();
  expect(posted.at(-1)).toEqual({ kind: 'abort', call: 1 });
  line.receive({ kind: 'answer', call: 1, value: 'said goodbye' });
  expect(await call).toBe('said goodbye');
  const count = posted.length;
  ending.abort();
  expect(posted).toHaveLength(count);
});

test('what a call tells is heard until its answer, and replies go to the same call', async () => {
  const received: unknown[] = [];
  const call = line.call(5, ORDER, {
    onMessage: (one, reply) => {
      received.push(one);
      reply(`reply to ${String(one)}`);
    },
  });
  line.receive({ kind: 'told', call: 1, told: 'first' });
  expect(posted.at(-1)).toEqual({ kind: 'tell', call: 1, told: 'reply to first' });
  line.receive({ kind: 'answer', call: 1, value: null });
  await call;
  line.receive({ kind: 'told', call: 1, told: 'too late' });
  expect(received).toEqual(['first']);
});

test('trust, breaches, overspending and readiness reach who listens for them', () => {
  const messages: FromLoop[] = [
    { kind: 'ready' },
    { kind: 'trust', context: 1, record: {} },
    { kind: 'over', context: 1, over: { what: 'cpu', spent: 12_001 } },
  ];
  for (const message of messages) line.receive(message);
  expect(heard).toEqual(messages);
});

interface LineEvent {
  readonly kind: keyof typeof SETTLED_BY;
  readonly nth: number;
}

/** How a call ends by each event. */
const SETTLED_BY = {
  answer: 'answer',
  fault: 'auth',
  abort: 'abort',
  bar: 'misbehaving',
  end: 'interrupted',
} as const;

function happen({ kind, nth }: LineEvent, own: LoopConnection, signals: readonly AbortController[]): void {
  if (kind === 'answer') own.receive({ kind: 'answer', call: nth + 1, value: null });
  else if (kind === 'fault') own.receive({ kind: 'fault', call: nth + 1, fault: toWire(new DeviceFault('auth', '')) });
  else if (kind === 'abort') signals[nth]?.abort(new Error('abort'));
  else if (kind === 'bar') own.rejectOf(nth % 3, new DeviceFault('misbehaving', ''));
  else own.end();
}

/** A bar is that of a context, which has every third call. */
function concerns({ kind, nth }: LineEvent, call: number): boolean {
  return kind === 'end' || (kind === 'bar' ? call % 3 === nth % 3 : call === nth);
}

test('property: each call settles exactly once, by the first of answer, fault, signal, bar and end', async () => {
  const event = fc.record({
    kind: fc.constantFrom(...(['answer', 'fault', 'abort', 'bar', 'end'] as const)),
    nth: fc.integer({ min: 0, max: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 25 }), async (events) => {
      const own = new LoopConnection({
        port: { postMessage: () => undefined },
        onTrust: () => undefined,
        onOver: () => undefined,
        onReady: () => undefined,
      });
      const signals = Array.from({ length: 6 }, () => new AbortController());
      const settled: string[][] = signals.map(() => []);
      const first: (string | null)[] = signals.map(() => null);
      const calls = signals.map(({ signal }, nth) =>
        own.call(nth % 3, ORDER, { signal }).then(
          () => settled[nth]?.push('answer'),
          (error: unknown) => settled[nth]?.push(error instanceof DeviceFault ? error.kind : (error as Error).message),
        ),
      );
      const settle = (nth: number, how: string): void => void (first[nth] ??= how);
      const all = signals.map((_one, at) => at);
      for (const one of [...events, { kind: 'end', nth: 0 } as const]) {
        happen(one, own, signals);
        for (const at of all.filter((call) => concerns(one, call))) settle(at, SETTLED_BY[one.kind]);
      }
      await Promise.all(calls);
      expect(settled).toEqual(first.map((how) => [how]));
    }),
  );
});
