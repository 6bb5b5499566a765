// The sentence for each state, in both languages.
import { expect, it } from 'vitest';
import { IDLE } from './player-state.ts';
import { errorSentence, languageOf, sentenceOf } from './sentences.ts';

it('says nothing over a picture, and else what is the matter and why', () => {
  const english = languageOf('en');
  for (const kind of ['live', 'playing', 'paused'] as const) expect(sentenceOf(english, { ...IDLE, kind })).toBeNull();
  expect(sentenceOf(english, { ...IDLE, kind: 'loading' })).toBe('Connecting');
  expect(sentenceOf(english, { kind: 'denied', code: 1002, reason: null })).toBe(
    'No permission · The page has to sign in again.',
  );
  expect(sentenceOf(english, { kind: 'offline', code: 2316, reason: 'timeout' })).toMatch(
    /^Offline · The camera did not/,
  );
  // A newer server's code.
  expect(sentenceOf(english, { kind: 'denied', code: 9999, reason: 'new' })).toBe('No permission');
  expect(errorSentence(english, { code: 1021, reason: null })).toBe('Somebody else is controlling this camera.');
});

it.each([
  ['zh', '正在连接'],
  ['zh-CN', '正在连接'],
  ['ZH-hant', '正在连接'],
  ['en-GB', 'Connecting'],
  ['de', 'Connecting'],
  ['', 'Connecting'],
])('speaks by the tag %j', (tag, text) => {
  expect(sentenceOf(languageOf(tag), { ...IDLE, kind: 'loading' })).toBe(text);
});
