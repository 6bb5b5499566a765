// Servers that do not belong together: each is refused in words, and nothing of it half joins.
import { once } from 'node:events';
import { request } from 'node:https';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { gatewayAt, LinkedServers, newNodePlace, type NodePlace, nodeSettings } from '../harness/linked-servers.ts';
import { serverBeside } from '../harness/server-beside.ts';
import { waitFor } from '../harness/wait-for.ts';

let linked: LinkedServers;
let stranger: NodePlace;

beforeAll(async () => {
  linked = await LinkedServers.start();
  stranger = await newNodePlace();
}, 120_000);
afterAll(async () => await linked?.stop());

/** How the port between servers answers one that asks for a line with this certificate; null: none. */
async function answerTo({ cert, key }: Pick<NodePlace, 'cert' | 'key'> | { cert: null; key: null }): Promise<number> {
  const own = cert === null || key === null ? {} : { cert: readFileSync(cert), key: readFileSync(key) };
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
  const headers = { ...upgrade, 'sec-websocket-key': Buffer.alloc(16).toString('base64'), 'x-vedette-node': 'forged' };
  const [{ host, port }] = linked.places;
  const asked = request({
    ...own,
    host,
    port,
    path: '/node',
    headers,
    rejectUnauthorized: false,
  });
  asked.end();
  const [answer] = (await Promise.race([once(asked, 'response'), once(asked, 'upgrade')])) as [{ statusCode: number }];
  asked.destroy();
  return answer.statusCode;
}

it('the port between servers takes lines by certificates of living servers alone', async () => {
  const [first, second] = linked.places;
  expect(await answerTo(second)).toBe(101);
  expect(await answerTo(stranger)).toBe(403);
  expect(await answerTo({ cert: null, key: null })).toBe(403);
  expect(await answerTo(first), 'a server is none of the others').toBe(403);
}, 60_000);

it('the public port takes no lines of servers, whatever they say of themselves', async () => {
  const { rows } = { rows: await linked.connection.database.selectFrom('server_node').selectAll().execute() };
  const headers = { 'x-vedette-node': rows[1]?.fingerprint ?? '' };
  const asked = request({
    host: '127.0.0.1',
    port: linked.gateways[0]?.port,
    path: '/node',
    headers: { connection: 'Upgrade', upgrade: 'websocket', ...headers },
    rejectUnauthorized: false,
  });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [{ statusCode: number }];
  expect(answer.statusCode).toBe(403);
}, 60_000);

it('a server with another master key does not start, and says why', async () => {
  const env = { ...nodeSettings(stranger), VEDETTE_KEY: 'ab'.repeat(32) };
  await expect(serverBeside(linked.servers[0], env)).rejects.toThrow(
    /otherMasterKey.*sealed with the master key.*keys\/master/,
  );
  const rows = await linked.connection.database.selectFrom('server_node').selectAll().execute();
  expect(rows.filter(({ seen_at: seenAt }) => seenAt > 0)).toHaveLength(2);
}, 60_000);

it('what answers at the address of another server with a certificate of its own is told nothing', async () => {
  const [{ folder }, second] = linked.places;
  const since = linked.servers[0].log.length;
  await linked.gateways[1]?.stop();
  const disguised = { ...stranger, host: second.host, port: second.port };
  const impostor = await gatewayAt(disguised, linked.servers[1].database.folder, folder);
  await waitFor('it to be told', () => linked.hasLogged(0, 'another server is not reached: foreign', since));
  await impostor.stop();
  await linked.restartGateway(1);
  await waitFor('the right one', () => linked.hasLogged(0, 'another server is connected', since));
}, 60_000);

it('a server that stops is left by the others at once, and told of no more', async () => {
  const since = linked.servers[0].log.length;
  await linked.servers[1].end();
  await waitFor('the line to end', async () => {
    const rows = await linked.connection.database.selectFrom('server_node').selectAll().execute();
    return rows.filter(({ seen_at: seenAt }) => seenAt > 0).length === 1;
  });
  await linked.servers[1].run();
  await waitFor('it again', () => linked.hasLogged(0, 'another server is connected', since));
}, 60_000);
