// Tests of the list of servers that the gateway reads: replaced, broken, and not there.
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { KnownNodes } from './known-nodes.ts';

const other = { nodeId: 'b', address: '10.0.0.2:8810', fingerprint: 'ff' };
let folder: string;
let lines: string[];
let nodes: KnownNodes;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nodes-'));
  lines = [];
  nodes = new KnownNodes(join(folder, 'nodes.json'), (line) => void lines.push(line));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(text: string): void {
  writeFileSync(join(folder, 'new'), text);
  renameSync(join(folder, 'new'), join(folder, 'nodes.json'));
}

it('knows nobody before the server has written it', () => {
  expect([nodes.isOwn('a'), nodes.placeOf('b'), nodes.has('ff')]).toEqual([false, null, false]);
});

it('knows who lives, and nobody who has gone', () => {
  write(JSON.stringify({ nodeId: 'a', others: [other] }));
  expect([nodes.isOwn('a'), nodes.isOwn('b'), nodes.placeOf('b'), nodes.has('ff')]).toEqual([true, false, other, true]);
  write(JSON.stringify({ nodeId: 'a', others: [] }));
  expect([nodes.placeOf('b'), nodes.has('ff')]).toEqual([null, false]);
});

it('takes a broken list for none, and says so once', () => {
  write('{"nodeId":"a","others":[{"nodeId":"b"}]}');
  expect([nodes.has('ff'), nodes.isOwn('a')]).toEqual([false, false]);
  expect(lines).toHaveLength(1);
});
