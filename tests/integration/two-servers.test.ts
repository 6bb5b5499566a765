// Two server processes on one database: each alarm is delivered once, and what one server does for all is taken over when it is killed, frozen or stopped.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LEASE_MS } from '../../server/work-lease/lease-judge.ts';
import { OPERATOR } from '../contract/server-under-test.ts';
import { serverBeside } from '../harness/server-beside.ts';
import { TwoServers } from '../harness/two-servers.ts';
import { waitFor } from '../harness/wait-for.ts';

/** For a busy machine, beside the time that it takes by design. */
const LATE_MS = 30_000;

let two: TwoServers;
const measured: Record<string, number> = {};

beforeAll(async () => {
  two = await TwoServers.start();
}, 120_000);
afterAll(async () => {
  await two?.stop();
  process.stdout.write(`two-servers: ${JSON.stringify(measured)}\n`);
});

async function expectEachOnce(): Promise<void> {
  await two.allDelivered(LATE_MS);
  expect(two.delivered).toEqual({ missing: 0, twice: 0 });
}

it('one of two servers acts on each alarm, whichever was told of it', async () => {
  const held = await two.leases();
  expect(held.length).toBeGreaterThanOrEqual(8);
  expect(new Set(held.map(({ holder }) => holder)).size, 'the first one has them all').toBe(1);
  await Promise.all(two.servers.map(async (server) => await two.raise(server, 40)));
  await expectEachOnce();
}, 120_000);

it('a killed holder is taken over when its lease is over, and works no more when it is back', async () => {
  const { holding, other } = two.roles;
  const before = await two.leases();
  await holding.end('SIGKILL');
  await two.raise(other, 10);
  measured['killedMs'] = await two.takenOverBy(other, before, LEASE_MS + LATE_MS);
  await two.allDelivered(LATE_MS);
  await holding.run();
  expect(two.roles.holding).toBe(other);
  await two.raise(holding, 10);
  await expectEachOnce();
}, 180_000);

it('a frozen holder is taken over, and stores and sends nothing more when it thaws', async () => {
  const { holding, other } = two.roles;
  const before = await two.leases();
  process.kill(holding.processId, 'SIGSTOP');
  const lines = holding.log.length;
  await two.raise(other, 20);
  measured['frozenMs'] = await two.takenOverBy(other, before, LEASE_MS + LATE_MS);
  await two.allDelivered(LATE_MS);
  const after = await two.leases();
  process.kill(holding.processId, 'SIGCONT');
  const lost = () => holding.log.slice(lines).filter((line) => line.includes('the lease of a work was lost'));
  await waitFor('it to notice', () => lost().length === after.length);
  await two.raise(holding, 10);
  await expectEachOnce();
  expect((await two.leases()).map(({ epoch }) => epoch)).toEqual(after.map(({ epoch }) => epoch));
}, 180_000);

it('a holder that is stopped hands over at once', async () => {
  const { holding, other } = two.roles;
  const before = await two.leases();
  await two.raise(holding, 5);
  await two.allDelivered(LATE_MS);
  const ending = holding.end();
  measured['stoppedMs'] = await two.takenOverBy(other, before, LEASE_MS - 5000);
  await ending;
  await two.raise(other, 5);
  await expectEachOnce();
}, 120_000);

it('a server that is killed and started again has its own leases back at once', async () => {
  const { holding } = two.roles;
  const before = await two.leases();
  await holding.end('SIGKILL');
  await holding.run();
  measured['restartedMs'] = await two.takenOverBy(holding, before, LEASE_MS - 5000);
  const after = await two.leases();
  expect(after.map(({ epoch }) => epoch)).toEqual(before.map(({ epoch }) => epoch + 1));
  expect(after.map(({ holder }) => holder)).toEqual(before.map(({ holder }) => holder));
  await two.raise(holding, 5);
  await expectEachOnce();
}, 120_000);

it('a second server with the same data folder is refused in words', async () => {
  const { holding } = two.roles;
  const twin = serverBeside(holding, { VEDETTE_DATA: holding.dataFolder });
  await expect(twin).rejects.toThrow(/identityInUse.*remove the file node-id/);
  await two.raise(holding, 1);
  await expectEachOnce();
}, 120_000);

it('the audit log of both is one whole chain, whoever of them linked it', async () => {
  const { holding, other } = two.roles;
  // It was stopped further up.
  await other.run();
  const { username, password } = OPERATOR;
  const operator = await holding.signIn(username, password);
  await Promise.all(
    Array.from({ length: 10 }, async () => await other.client(operator.accessToken).ok('audit/export', {})),
  );
  await waitFor('all but the last line to be linked', async () => {
    const { isWhole, unchained, missing, total } = await operator.ok('audit/verify', {});
    return isWhole && unchained <= 1 && missing === 0 && total > 10;
  });
}, 60_000);
