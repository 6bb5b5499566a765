// What is read from a line of the log, and what of it nobody is shown.
import { describe, expect, it } from 'vitest';
import { readLogLine } from './log-line.ts';
import { withoutSecrets } from './log-redaction.ts';

describe('a line of the log', () => {
  it('of pino has its time, level, text and further fields', () => {
    const raw =
      '{"level":40,"time":1700000000000,"pid":3,"name":"server","siteId":"a","err":{"message":"gone"},"msg":"no site"}';
    expect(readLogLine(raw)).toEqual({
      time: 1_700_000_000_000,
      level: 'warning',
      text: 'no site (gone)',
      detail: '{"siteId":"a","err":{"message":"gone"}}',
    });
  });

  it.each([
    [
      '2023-11-14 22:13:20.000 UTC [77] FATAL:  the database system is starting up',
      'error',
      'the database system is starting up',
    ],
    ['2023-11-14 22:13:20.000 UTC [77] LOG:  ready', 'info', 'ready'],
    ['2023-11-14T22:13:20.000Z ready at http://localhost:8800', 'info', 'ready at http://localhost:8800'],
    ['2023-11-14T22:13:20.000Z TypeError: x is not a function', 'info', 'TypeError: x is not a function'],
    ['2023-11-14T22:13:20.000Z Error: broken', 'error', 'Error: broken'],
  ])('%s', (raw, level, text) => {
    expect(readLogLine(raw)).toEqual({ time: 1_700_000_000_000, level, text, detail: '' });
  });

  it('without a time keeps its text, also where it only begins like JSON', () => {
    expect(readLogLine('    at run (file.ts:3:1)')).toMatchObject({ time: null, text: '    at run (file.ts:3:1)' });
    expect(readLogLine('{"level":30,"ti')).toMatchObject({ time: null, level: 'info', text: '{"level":30,"ti' });
  });

  it('is bounded, and holds nothing that hides or reverses text', () => {
    const { text } = readLogLine(`2023-11-14T22:13:20.000Z a\u202eb\u0007${'x'.repeat(5000)}`);
    expect(text).toMatch(/^a b x+…$/);
    expect(text.length).toBeLessThan(2100);
  });
});

describe('secrets', () => {
  it.each([
    ['rtsp://admin:pa55word@10.0.0.8/1', 'pa55word'],
    ['{"user":"a","password":"hunter2"}', 'hunter2'],
    ['{\\"mailPassword\\":\\"hunter2\\"}', 'hunter2'],
    ['authorization: Bearer abcdefgh12345678', 'abcdefgh12345678'],
    ['GET /setup#secret=Zm9vYmFy', 'Zm9vYmFy'],
    ['/media/live/hZ3kPq9XwVbN4tYrEoUu5aSdFgHjKlMzXcVbNm12345', 'hZ3kPq9XwVbN4t'],
    ['code ABCDE-FGHJK-LMNPQ-RSTUV-WXYZ2 used', 'FGHJK'],
    ['cookie=sid-1234; x', 'sid-1234'],
  ])('%s is shown without it', (raw, secret) => {
    expect(withoutSecrets(raw)).not.toContain(secret);
    expect(withoutSecrets(raw)).toContain('[secret]');
  });

  it('what looks similar stays', () => {
    const plain =
      'SHA-256 3f2a9c0b3f2a9c0b3f2a9c0b3f2a9c0b3f2a9c0b3f2a9c0b3f2a9c0b3f2a9c0b at http://10.0.0.8:8800/x, code 42';
    expect(withoutSecrets(plain)).toBe(plain);
  });
});
