// Tries incidents that other products had against one started product of ours, each as it was done there.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, it } from 'vitest';
import { Product } from '../harness/product.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import type { IncidentPlace, Incidents } from './incidents/incident.ts';
import { OF_COMMANDS } from './incidents/of-commands.ts';
import { OF_DEVICES } from './incidents/of-devices.ts';
import { OF_MEDIA } from './incidents/of-media.ts';
import { OF_PAGES_AND_FILES } from './incidents/of-pages-and-files.ts';
import { OF_SIGN_IN } from './incidents/of-sign-in.ts';

const PASSWORD = 'Watch-2026';
const INCIDENTS: Incidents = { ...OF_SIGN_IN, ...OF_DEVICES, ...OF_COMMANDS, ...OF_MEDIA, ...OF_PAGES_AND_FILES };

let product: Product;
let cameras: VirtualSite;
let folder: string;
let place: IncidentPlace;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vedette-incidents-'));
  [product, cameras] = await Promise.all([Product.start(), startVirtualSite(['--cameras', '1'])]);
  const owner = await product.setUp('operator', PASSWORD);
  const [dev] = await addAll(owner, cameras.devices);
  if (!dev) throw new Error('no camera was added');
  await owner.ok('user/add', { username: 'stranger', password: 'Secret-1', userType: 2 });
  const stranger = await product.signIn('stranger', 'Secret-1');
  const since = Date.now();
  await waitFor('ten seconds of recording', async () => {
    const { recordList } = await owner.ok('record/query', { ...dev, startTime: since, endTime: Date.now() });
    return recordList.some(({ startTime, endTime }) => endTime - startTime > 10_000);
  });
  const cameraPassword = cameras.devices[0]?.password ?? '';
  place = { url: product.url, owner, password: PASSWORD, stranger, dev, cameraPassword, marker: join(folder, 'made') };
}, 120_000);

afterAll(async () => {
  await Promise.all([product?.stop(), cameras?.stop()]);
  if (folder) await rm(folder, { recursive: true, force: true });
});

it.each(Object.entries(INCIDENTS))('[GO-14] %s', async (_name, attempt) => {
  await attempt(place);
});
