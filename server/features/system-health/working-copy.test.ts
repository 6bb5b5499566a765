// The commit of a working copy.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { revisionOf } from './working-copy.ts';

const ONE = '1'.repeat(40);
const TWO = '2'.repeat(40);
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'vedette-test-git-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function put(name: string, text: string): Promise<void> {
  await mkdir(join(root, name, '..'), { recursive: true });
  await writeFile(join(root, name), text);
}

it('is that of its branch, loose or packed, or of a detached head', async () => {
  await put('.git/HEAD', `${ONE}\n`);
  expect(await revisionOf(root)).toBe(ONE);
  await put('.git/HEAD', 'ref: refs/heads/main\n');
  await put('.git/packed-refs', `# pack-refs\n${TWO} refs/heads/main\n`);
  expect(await revisionOf(root)).toBe(TWO);
  await put('.git/refs/heads/main', `${ONE}\n`);
  expect(await revisionOf(root)).toBe(ONE);
});

it('of a worktree it is found in the copy that it belongs to', async () => {
  await put('main/.git/refs/heads/work', `${TWO}\n`);
  await put('main/.git/worktrees/a/HEAD', 'ref: refs/heads/work\n');
  await put('main/.git/worktrees/a/commondir', '../..\n');
  await put('tree/.git', `gitdir: ${join(root, 'main/.git/worktrees/a')}\n`);
  expect(await revisionOf(join(root, 'tree'))).toBe(TWO);
});

it('is empty where there is none, or where a name leads elsewhere', async () => {
  expect(await revisionOf(root)).toBe('');
  await put('.git/HEAD', 'ref: refs/../../secret\n');
  await put('secret', ONE);
  expect(await revisionOf(root)).toBe('');
});
