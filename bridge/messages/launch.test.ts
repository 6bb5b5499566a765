// Tests of launches: which word a message must carry, and that each request counts once.
import { describe, expect, it } from 'vitest';
import { BRIDGE_LIMITS } from '../limits.ts';
import type { BridgeMessage } from './bridge-message.ts';
import { PageLaunch, ShellLaunch } from './launch.ts';

const request = (id: string | number, nonce?: unknown): BridgeMessage => ({
  kind: 'request',
  id,
  url: '/x',
  data: {},
  nonce,
});
const answer = (id: string, nonce?: unknown): BridgeMessage => ({ kind: 'answer', id, code: 200, data: {}, nonce });

function newPage(): PageLaunch {
  let made = 0;
  return new PageLaunch(() => `word ${(made += 1)}`);
}

describe('[SE-90] the word of a launch', () => {
  it('is needed where a script of the page could have sent the message, and is never wrong', () => {
    const page = newPage();
    for (const nonce of [undefined, 'guessed', ['word 1'], null])
      expect(page.accepts(request('1', nonce), false), String(nonce)).toBe(false);
    for (const nonce of ['guessed', ['word 1'], null]) expect(page.accepts(request('1', nonce), true)).toBe(false);
    expect(page.accepts(answer('1', 'guessed'), true)).toBe(false);
    expect(page.accepts(request('1', 'word 1'), false)).toBe(true);
    expect(page.accepts(request('2'), true)).toBe(true);
  });

  it('lets each request count once, and an answer as often as it comes', () => {
    const page = newPage();
    expect(page.accepts(request(1, 'word 1'), false)).toBe(true);
    expect(page.accepts(request(1, 'word 1'), false)).toBe(false);
    expect(page.accepts(request('1', 'word 1'), false)).toBe(true);
    expect([1, 2].map(() => page.accepts(answer('a', 'word 1'), false))).toEqual([true, true]);
  });

  it('is replaced before the ids of handled requests are forgotten', () => {
    const page = newPage();
    for (let id = 0; id < BRIDGE_LIMITS.remembered; id += 1)
      expect(page.accepts(request(id, 'word 1'), false)).toBe(true);
    expect(page.accepts(request(0, 'word 1'), false)).toBe(false);
    expect(page.accepts(request(BRIDGE_LIMITS.remembered, 'word 1'), false)).toBe(true);
    expect(page.nonce).toBe('word 2');
    expect(page.accepts(request(1, 'word 1'), false)).toBe(false);
    expect(page.accepts(request(1, 'word 2'), false)).toBe(true);
  });

  it('is followed by the shell, which begins anew with each', () => {
    const shell = new ShellLaunch();
    expect(shell.nonce).toBeUndefined();
    expect(shell.accepts(request('1', 'first'))).toBe(true);
    expect([shell.nonce, shell.accepts(request('1', 'first'))]).toEqual(['first', false]);
    expect([shell.accepts(request('1', 'second')), shell.nonce]).toEqual([true, 'second']);
  });
});
