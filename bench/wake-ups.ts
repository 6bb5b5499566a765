// npm run bench:wake-ups: what NOTIFY in a transaction costs commits of alarms, which stand in an order by a lock of their own, and other commits.
import pg from 'pg';
import { ReplicatedPostgres } from '../tests/harness/replicated-postgres.ts';

const SECONDS = Number(process.env['SECONDS'] ?? 5);
const ROUNDS = Number(process.env['ROUNDS'] ?? 2);
/** Connections of two servers. */
const CONNECTIONS = 24;
const ORDER_LOCK = 'select pg_advisory_xact_lock(1)';
const ROW = `insert into alarm_outbox (seq, at, start_times, alarm_ids, are_new)
  values (nextval('alarm_outbox_number'), 0, '{0}', array[gen_random_uuid()::text], '{t}')`;
const WAYS = {
  unordered: { isOrdered: false, isTold: false },
  unorderedWithNotify: { isOrdered: false, isTold: true },
  ordered: { isOrdered: true, isTold: false },
  orderedWithNotify: { isOrdered: true, isTold: true },
} as const;
type Way = keyof typeof WAYS;

const postgres = await ReplicatedPostgres.start();
const clients = Array.from({ length: CONNECTIONS }, () => new pg.Client({ connectionString: postgres.primary.url }));
try {
  await Promise.all(clients.map((client) => client.connect()));
  const commits: Record<Way, number> = { unordered: 0, unorderedWithNotify: 0, ordered: 0, orderedWithNotify: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const way of Object.keys(WAYS) as Way[]) commits[way] += await commitsOf(WAYS[way]);
  }
  const perSecond = Object.fromEntries(
    Object.entries(commits).map(([way, count]) => [way, Math.round(count / (SECONDS * ROUNDS))]),
  );
  process.stdout.write(`${JSON.stringify({ seconds: SECONDS, rounds: ROUNDS, commitsPerSecond: perSecond })}\n`);
} finally {
  await Promise.all(clients.map((client) => client.end()));
  await postgres.stop();
}

async function commitsOf({ isOrdered, isTold }: (typeof WAYS)[Way]): Promise<number> {
  await postgres.primary.query(`alter table alarm_outbox ${isTold ? 'enable' : 'disable'} trigger alarm_wake`);
  const until = performance.now() + SECONDS * 1000;
  const statements = ['begin', ...(isOrdered ? [ORDER_LOCK] : []), ROW, 'commit'].join('; ');
  const each = clients.map(async (client) => {
    let count = 0;
    for (; performance.now() < until; count += 1) await client.query(statements);
    return count;
  });
  return (await Promise.all(each)).reduce((sum, count) => sum + count, 0);
}
