// The commit of the working copy that runs, read from its files; empty where it is none.
import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

const COMMIT = /^[0-9a-f]{40,64}$/;

export async function revisionOf(root: string): Promise<string> {
  const folder = await gitFolder(root);
  if (folder === null) return '';
  const head = ((await readOrNull(join(folder, 'HEAD'))) ?? '').trim();
  if (COMMIT.test(head)) return head;
  const name = /^ref: (refs\/[\w./-]{1,200})$/.exec(head)?.[1];
  if (name === undefined || name.includes('..')) return '';
  // A worktree shares the branches of the copy it belongs to.
  const shared = ((await readOrNull(join(folder, 'commondir'))) ?? '.').trim();
  for (const place of [folder, isAbsolute(shared) ? shared : join(folder, shared)]) {
    const commit = await branchCommit(place, name);
    if (commit !== null) return commit;
  }
  return '';
}

async function branchCommit(place: string, name: string): Promise<string | null> {
  const loose = await readOrNull(join(place, name));
  if (loose !== null) return COMMIT.test(loose.trim()) ? loose.trim() : null;
  const packed = (await readOrNull(join(place, 'packed-refs'))) ?? '';
  const line = packed.split('\n').find((one) => one.endsWith(` ${name}`));
  const commit = line?.split(' ')[0] ?? '';
  return COMMIT.test(commit) ? commit : null;
}

async function gitFolder(root: string): Promise<string | null> {
  const git = join(root, '.git');
  const link = await readOrNull(git);
  // A folder cannot be read as a file; a file names the folder of a worktree.
  if (link === null) return git;
  const named = /^gitdir: (.+)$/m.exec(link)?.[1]?.trim();
  if (named === undefined) return null;
  return isAbsolute(named) ? named : join(root, named);
}

async function readOrNull(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}
