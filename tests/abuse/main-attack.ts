// npm run attack -- [name …] [--url … --account …]: attacks a running product, or one it starts, and prints one JSON line each.
import { parseArgs } from 'node:util';
import { ApiClient } from '../harness/api-client.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import type { AttackTarget } from './attack.ts';
import { ATTACKS } from './attacks.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    account: { type: 'string', default: 'operator' },
    /** Of the launcher, where the product runs on this machine: memory is measured. */
    pid: { type: 'string' },
    count: { type: 'string', default: '600' },
  },
});
const PASSWORD = 'Watch-2026';

async function attackAll(place: AttackTarget): Promise<number> {
  let broken = 0;
  for (const name of positionals.length > 0 ? positionals : Object.keys(ATTACKS)) {
    const attack = ATTACKS[name];
    if (!attack) throw new Error(`no attack is called ${name}; there are ${Object.keys(ATTACKS).join(', ')}`);
    const result = await attack(place);
    broken += result.broken.length;
    process.stdout.write(`${JSON.stringify({ ...result, verdict: result.broken.length > 0 ? 'broken' : 'held' })}\n`);
  }
  return broken;
}

async function attackRunning(url: string): Promise<number> {
  // Never on the command line, which every process of the machine may read.
  const password = process.env['VEDETTE_ATTACK_PASSWORD'] ?? '';
  const owner = new ApiClient(url);
  const input = { account: values.account, password, browserId: 'attack', clientType: 'web' } as const;
  owner.accessToken = (await owner.ok('account/login', input)).accessToken;
  const launcherPid = values.pid === undefined ? null : Number(values.pid);
  return await attackAll({ url, owner, password, launcherPid, count: Number(values.count) });
}

async function attackOwn(): Promise<number> {
  const product = await Product.start({ demo: true });
  try {
    const owner = await product.setUp('operator', PASSWORD);
    await waitFor('the demo', async () => (await owner.ok('device/list', { status: 1 })).total === 9, 60_000);
    const launcherPid = product.process.pid ?? null;
    return await attackAll({ url: product.url, owner, password: PASSWORD, launcherPid, count: Number(values.count) });
  } finally {
    await product.stop();
  }
}

process.exitCode = (await (values.url === undefined ? attackOwn() : attackRunning(values.url))) > 0 ? 1 : 0;
