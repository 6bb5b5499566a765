// Runs every attack that is held off against one started product; the others run by `npm run attack` alone.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Product } from '../harness/product.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import type { AttackTarget } from './attack.ts';
import { ATTACKS } from './attacks.ts';

const PASSWORD = 'Watch-2026';
const IDS: Readonly<Record<string, string>> = {
  'stolen-token': '[SE-15]',
  'operator-as-tenant': '[SE-41] [GO-14] (Verkada 2021, Ring 2023)',
  'storage-by-share': '[SE-31]',
  'watching-unseen': '[SE-102]',
  'quota-race': '[SE-100]',
  'mail-relay': '[SE-100]',
  corpora: '[GO-15] [SE-62] [SE-64] [SE-75]',
  'hostile-firmware': '[SE-94] [SE-75]',
  'changed-bytes': '[SE-82] [GO-17]',
  'hostile-answers': '[SE-78] [SE-82]',
  'secrets-in-arguments': '[SE-72]',
  'secrets-in-log': '[SE-98]',
  'site-memory': '[SE-85]',
  'rtsp-floods': '[SE-85]',
  'socket-floods': '[SE-85]',
  'sockets-at-once': '[SE-85]',
  'frozen-database': '[FT-24]',
  'pages-return': '[FT-32] [GO-19]',
};

let product: Product;
let cameras: VirtualSite;
let place: AttackTarget;

beforeAll(async () => {
  [product, cameras] = await Promise.all([Product.start(), startVirtualSite(['--cameras', '4'])]);
  const owner = await product.setUp('operator', PASSWORD);
  const channels = await addAll(owner, cameras.devices);
  const since = Date.now();
  await waitFor('recordings', async () => {
    const range = { startTime: since, endTime: Date.now() + 5000 };
    const found = await Promise.all(channels.map((channel) => owner.ok('record/query', { ...channel, ...range })));
    return found.every(({ total }) => total > 0);
  });
  place = { url: product.url, owner, password: PASSWORD, launcherPid: product.process.pid ?? null, count: 120 };
}, 120_000);

afterAll(async () => {
  await Promise.all([product?.stop(), cameras?.stop()]);
});

it.each(
  Object.entries(ATTACKS).map(([name, attack]) => ({ name, attack, ids: IDS[name] ?? '' })),
)('$ids $name is held off', async ({ attack }) => {
  const result = await attack(place);
  process.stdout.write(`attack: ${JSON.stringify(result)}\n`);
  expect(result.broken.join('; ')).toBe('');
});
