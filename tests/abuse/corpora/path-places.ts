// Names and paths that lead outside, under every address of the product that takes one and in the forms that hold a name: nothing outside is read, written or removed.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AttackTarget } from '../attack.ts';
import { FORM_END, formHead, rawUpload } from '../multipart-socket.ts';
import { newTenant } from '../tenants.ts';
import { type Attempts, forEachInLanes, RawCaller, spread } from './attempts.ts';
import { pathsOutside } from './paths-outside.ts';

const CANARY = 'only outside of every folder of the product';
/** All that serve what is named behind them; tickets and ids are such names too. */
export const ROOTS = [
  '/',
  '/assets/',
  '/docs/',
  '/docs/operations/',
  '/documents/',
  '/documents/privacy/',
  '/locales/',
  '/embed/',
  '/api/docs/',
  '/api/v1/',
  '/signIn/provider/',
  '/upload/',
  '/version/',
  '/media/',
  '/media/hls/',
  '/media/hls/a/',
  '/media/fragments/',
  '/media/snapshot/',
  '/media/export/',
  '/media/preset/',
  '/media/whep/',
  '/media/cdn/',
  '/media/cdn/a/',
  '/oidc/',
];

export async function pathPlaces(place: AttackTarget): Promise<Attempts> {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-outside-'));
  const file = join(folder, 'canary');
  await writeFile(file, CANARY);
  const caller = new RawCaller(place.url);
  const names = pathsOutside(file);
  const broken: string[] = [];
  try {
    const cases = ROOTS.flatMap((root) => names.map((name) => root + name));
    const headers = { authorization: `Bearer ${place.owner.accessToken}` };
    await forEachInLanes(spread(cases, { count: place.count * ROOTS.length }), async (path) => {
      const { status, text, headers: heard } = await caller.get(path, headers);
      const isPage = String(heard['content-type']).startsWith('text/html');
      if (text.includes(CANARY)) broken.push(`${path} gave out a file`);
      // What is not found may be a page of the console, and nothing else.
      else if (status >= 500 || (status === 200 && !isPage)) broken.push(`${path} answered ${status}`);
    });
    await uploads(place, names, broken);
    const left = await readdir(folder);
    if (left.join() !== 'canary' || (await readFile(file, 'utf8')) !== CANARY) broken.push(`${folder} is changed`);
  } finally {
    caller.close();
    await rm(folder, { recursive: true, force: true });
  }
  return { tried: `${names.length} paths at ${ROOTS.length} addresses and in forms`, broken };
}

/** Firmware under such a name and version: what is kept of it has a name of ours. */
async function uploads(place: AttackTarget, names: readonly string[], broken: string[]): Promise<void> {
  const { client } = await newTenant(place);
  const token = client.accessToken ?? '';
  for (const [at, name] of spread(names, place).entries()) {
    const written = name.replace(/["\r\n]/gu, '_');
    const head = at % 2 === 0 ? formHead(written) : formHead('fw.bin', written);
    const body = [head, Buffer.from('firmware'), FORM_END];
    const declared = body.reduce((sum, { length }) => sum + length, 0);
    const { status } = await rawUpload(place.url, { token, declared, body });
    if (status >= 500) broken.push(`an upload named ${written} answered ${status}`);
    const { packageList } = await client.ok('device/upgrade/package/list', {});
    for (const { packageId } of packageList) await client.ok('device/upgrade/package/delete', { packageId });
  }
}
