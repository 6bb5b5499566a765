// The log by calls: pages, filters and the file, for operators alone, without secrets.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

const START = 1_700_000_000_000;
const SECRETS = ['pa55-of-a-camera', 'hunter2hunter2', 'hZ3kPq9XwVbN4tYrEoUu5aSdFgHjKlMzXcVbNm12345'] as const;

let server: ServerUnderTest;
let operator: CallClient;

const line = (at: number, msg: string, more: object = {}): string =>
  JSON.stringify({ level: 30, time: START + at, msg, ...more });

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  const folder = join(server.dataFolder, 'logs');
  mkdirSync(folder, { recursive: true });
  const write = (name: string, lines: readonly string[]): void =>
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
  write(
    'server.log.1',
    ['first', 'second'].map((text, at) => line(at, text)),
  );
  write('server.log', [line(10, 'third'), line(11, 'refused', { level: 50, err: { message: 'no route' } })]);
  write('site.log', [
    line(5, `rtsp://admin:${SECRETS[0]}@192.0.2.10/1`),
    line(6, 'signs in', { password: SECRETS[1] }),
    line(7, `GET /media/live/${SECRETS[2]}`),
  ]);
  writeFileSync(join(server.dataFolder, 'private.log'), 'nobody reads this\n');
});
afterAll(() => server?.stop());

it('lists all processes, newest first, and pages to the end', async () => {
  const texts: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await operator.ok('system/log/list', { pageSize: 3, ...(cursor !== undefined && { cursor }) });
    texts.push(...page.lineList.map(({ text }) => text));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(texts).toHaveLength(7);
  expect(texts.slice(0, 2)).toEqual(['refused (no route)', 'third']);
  expect(texts.slice(-2)).toEqual(['second', 'first']);
});

it('filters by level, process, word and time', async () => {
  const found = async (filter: object) =>
    (await operator.ok('system/log/list', filter)).lineList.map(({ text }) => text);
  expect(await found({ level: 'warning' })).toEqual(['refused (no route)']);
  expect(await found({ partList: ['server'], keyWord: 'SECOND' })).toEqual(['second']);
  expect(await found({ partList: ['server'], startTime: START + 1, endTime: START + 11 })).toEqual(['third', 'second']);
});

it('[SE-98] neither the list nor the file holds a secret, and none can be searched for', async () => {
  const { lineList } = await operator.ok('system/log/list', {});
  const file = await operator.ok('system/log/download', {});
  const text = gunzipSync(Buffer.from(file.gzip, 'base64')).toString('utf8');
  expect(file).toMatchObject({ lineTotal: 7, isCut: false });
  expect(
    text
      .trimEnd()
      .split('\n')
      .map((one) => JSON.parse(one).text),
  ).toEqual(lineList.toReversed().map((one) => one.text));
  for (const secret of SECRETS) {
    expect(JSON.stringify(lineList)).not.toContain(secret);
    expect(text).not.toContain(secret);
    expect((await operator.ok('system/log/list', { keyWord: secret.slice(0, 12) })).lineList).toEqual([]);
  }
});

it('a cursor that names another file reads nothing, and one of no form is refused', async () => {
  const made = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const missing = await operator.ok('system/log/list', { cursor: made({ server: ['1', 100] }) });
  expect(missing.lineList).toEqual([]);
  for (const cursor of [made({ '../private': ['1', 1] }), made({ server: ['/x', 1] }), made({})]) {
    expect(await operator.call('system/log/list', { cursor })).toMatchObject({
      code: 1003,
      data: { cursor: 'format' },
    });
  }
});

it('is refused to every other account', async () => {
  await operator.ok('user/add', { username: 'manager', password: 'Visit-2026', userType: 1 });
  await operator.ok('user/add', { username: 'owner', password: 'Visit-2026', userType: 2 });
  for (const name of ['manager', 'owner']) {
    const other = await server.signIn(name, 'Visit-2026');
    expect((await other.call('system/log/list', {})).code).toBe(1004);
    expect((await other.call('system/log/download', {})).code).toBe(1004);
  }
});
