// Reading the logs of several processes backwards, over rotated files, page by page.
import { appendFile, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readCursor, writeCursor } from './log-cursor.ts';
import { type LogFilter, type LogPage, searchLog } from './log-search.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vedette-test-log-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const START = 1_700_000_000_000;
const line = (at: number, text: string, level = 30): string =>
  `${JSON.stringify({ level, time: START + at, msg: text })}\n`;
const all = { level: 'debug' } as const;

async function search(filter: LogFilter = all, cursor: LogPage['nextCursor'] = null, lines = 1000, bytes = 1e9) {
  return await searchLog(folder, { filter, cursor, lines, bytes });
}
const texts = (page: LogPage): string[] => page.lineList.map(({ text }) => text);

it('lines of all processes come newest first, also from rotated files', async () => {
  await writeFile(join(folder, 'server.log.1'), line(1, 'a') + line(2, 'b'));
  await writeFile(join(folder, 'server.log'), line(4, 'd') + line(6, 'f'));
  await writeFile(join(folder, 'site.log'), line(3, 'c') + line(5, 'e'));
  const page = await search();
  expect(texts(page)).toEqual(['f', 'e', 'd', 'c', 'b', 'a']);
  expect(page.nextCursor).toBeNull();
  expect(new Set(page.lineList.map(({ lineId }) => lineId)).size).toBe(6);
});

it('pages hold each line once, also where a file is rotated and written between them', async () => {
  const file = join(folder, 'server.log');
  await writeFile(
    file,
    Array.from({ length: 3000 }, (_, at) => line(at, `line ${at} ${'x'.repeat(at % 90)}`)).join(''),
  );
  await writeFile(join(folder, 'gateway.log'), line(1500, 'between'));
  const found: string[] = [];
  let page = await search(all, null, 7);
  found.push(...texts(page));
  await rename(file, join(folder, 'server.log.1'));
  await writeFile(file, line(9000, 'newer'));
  while (page.nextCursor !== null) {
    page = await search(all, readCursor(writeCursor(page.nextCursor)), 700);
    found.push(...texts(page));
  }
  expect(found).toHaveLength(3001);
  expect(new Set(found).size).toBe(3001);
  expect(found[0]).toContain('line 2999');
  expect(found.at(-1)).toContain('line 0');
  expect(found).not.toContain('newer');
});

it('filters by level, process, words and time; the end is exclusive', async () => {
  await writeFile(
    join(folder, 'server.log'),
    line(1, 'one') + line(2, 'Two', 50) + line(3, 'three', 40) + line(4, 'four'),
  );
  await writeFile(join(folder, 'site.log'), line(2, 'elsewhere', 50));
  expect(texts(await search({ level: 'warning', partList: ['server'] }))).toEqual(['three', 'Two']);
  expect(texts(await search({ ...all, keyWord: ' tWO ' }))).toEqual(['Two']);
  expect(texts(await search({ ...all, partList: ['server'], startTime: START + 2, endTime: START + 4 }))).toEqual([
    'three',
    'Two',
  ]);
});

it('a budget of bytes ends a page without losing lines', async () => {
  await writeFile(join(folder, 'server.log'), Array.from({ length: 9000 }, (_, at) => line(at, `word ${at}`)).join(''));
  const first = await search({ ...all, keyWord: 'word 0' }, null, 10, 100_000);
  expect(first.lineList).toEqual([]);
  expect(first.searchedTo).toBeGreaterThan(START);
  let page = first;
  while (page.nextCursor !== null && page.lineList.length === 0)
    page = await search({ ...all, keyWord: 'word 0' }, page.nextCursor, 10, 100_000);
  expect(texts(page)).toEqual(['word 0']);
});

it('half a line is never shown: one that is still written, or one that a made-up cursor points into', async () => {
  const file = join(folder, 'server.log');
  await writeFile(file, `${line(1, 'whole')}2023-11-14T22:13:21.000Z rtsp://user:secre`);
  expect(texts(await search())).toEqual(['whole']);
  await appendFile(file, 't7@host/\n');
  const page = await search(all, null, 1);
  expect(texts(page)).toEqual(['rtsp://user:[secret]@host/']);
  const inode = page.nextCursor?.server?.inode ?? '';
  const inside = { server: { inode, offset: line(1, 'whole').length + 30 } };
  expect(texts(await search(all, inside))).toEqual(['whole']);
});

it('a hidden secret cannot be searched for', async () => {
  await writeFile(join(folder, 'server.log'), line(1, 'password=hunter2'));
  expect(texts(await search({ ...all, keyWord: 'hunter' }))).toEqual([]);
  expect(texts(await search({ ...all, keyWord: 'password' }))).toEqual(['password=[secret]']);
});

it('lines without a time stand where they were written', async () => {
  await writeFile(join(folder, 'server.log'), `${line(1, 'before')}  at somewhere\n${line(2, 'after')}`);
  const page = await search();
  expect(texts(page)).toEqual(['after', '  at somewhere', 'before']);
  expect(page.lineList[1]?.time).toBe(START + 2);
});

it('a folder without logs has no lines, and a link is no log', async () => {
  expect(await search()).toEqual({ lineList: [], nextCursor: null, searchedTo: null });
  await writeFile(join(folder, 'other'), line(1, 'private'));
  await symlink(join(folder, 'other'), join(folder, 'site.log'));
  expect(texts(await search())).toEqual([]);
});

it('a made-up cursor is none', () => {
  for (const text of ['AAAA', 'e30', Buffer.from('{"server":["../x",1]}').toString('base64url')])
    expect(readCursor(text)).toBeNull();
});
