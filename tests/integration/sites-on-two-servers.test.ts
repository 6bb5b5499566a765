// Two servers on one database with a line between them: a site may be connected to either, and answers calls of both.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FarHello, ScriptedSite } from '../contract/scripted-site.ts';
import { LinkedServers } from '../harness/linked-servers.ts';
import { waitFor } from '../harness/wait-for.ts';

let linked: LinkedServers;
let named: FarHello & { readonly id: string };
let site: ScriptedSite;
let deviceSerial: string;

beforeAll(async () => {
  linked = await LinkedServers.start();
  named = await linked.addSite('Harbour');
}, 120_000);
afterAll(async () => await linked?.stop());

async function isOnline(at: 0 | 1): Promise<boolean> {
  return (await linked.statusOf(at, named.id)) === 'online';
}

it('a site that is connected to one server answers calls of the other', async () => {
  site = await linked.dial(1, named);
  for (const at of [0, 1] as const) await waitFor(`server ${at} to know of it`, async () => await isOnline(at));
  const order = { target: 'rtsp://192.0.2.1/1', deviceName: 'Crane', siteId: named.id };
  ({ deviceSerial } = (await linked.operators[0].ok('device/add', order)).device);
  expect(site.probed.map(({ target }) => target)).toEqual(['rtsp://192.0.2.1/1']);
  await waitFor('the assignment', () => site.assigned.has(deviceSerial));
}, 60_000);
