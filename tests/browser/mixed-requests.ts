// What every shell does as soon as its page is there: the status first, then the handshake; and answers to many requests, each once and in order.
import { expect } from 'vitest';
import type { DesktopShellUnderTest } from '../harness/desktop-shell.ts';

const MIXED = [
  ['system/info', {}, 200],
  ['language/get', {}, 200],
  ['preset/list', { deviceSerial: 'X', channelNo: 1 }, 1004],
  ['theme/update', { colour: 'x'.repeat(40) }, 1003],
] as const;
const ALL = 200;
/** As many as may wait at a time. */
const AT_ONCE = 50;

/** Nobody is signed in. */
export async function expectGreeting(shell: DesktopShellUnderTest): Promise<void> {
  await shell.waitFor('told', 2);
  const [first, second] = shell.of('told');
  expect([first?.topic, first?.data]).toEqual(['account/status', { status: 0 }]);
  expect([second?.topic, second?.data]).toMatchObject(['system/info', { bridge: { min: 1, max: 1 } }]);
}

export async function expectMixedAnswers(shell: DesktopShellUnderTest): Promise<void> {
  for (let from = 0; from < ALL; from += AT_ONCE) {
    for (let tag = from; tag < from + AT_ONCE; tag += 1) {
      const [topic, data] = MIXED[tag % MIXED.length] ?? MIXED[0];
      shell.say({ do: 'ask', topic, data, tag });
    }
    await shell.waitFor('outcome', from + AT_ONCE);
  }
  expect(shell.of('outcome').map(({ tag, code }) => [tag, code])).toEqual(
    Array.from({ length: ALL }, (_, tag) => [tag, MIXED[tag % MIXED.length]?.[2]]),
  );
}
