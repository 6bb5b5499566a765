// npm run bench:search: times a search over 50,000 devices and 500,000 channels, with words of one to many characters (≤ 100 ms p95).
import { performance } from 'node:perf_hooks';
import { migrate } from '../server/database/migrate.ts';
import { openDatabase } from '../server/database/connection.ts';
import { organizationHandlers } from '../server/features/organization/organization.handlers.ts';
import type { Rights } from '../server/auth/rights.ts';
import { startTestDatabase } from '../tests/contract/test-database.ts';

const DEVICES = Number(process.env['BENCH_DEVICES'] ?? 50_000);
const CHANNELS_EACH = 10;
const ORGANIZATIONS = 500;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 30);
const OWNER = 'owner';
const KEY_WORDS = ['东门', '大厅', '摄像', 'Gate 4711', 'lobby', 'g', '4711', '门', 'Cam 12', '不存在的', 'SN00042'];

const postgres = await startTestDatabase({ isDurable: true });
const { database, pool, newClient } = openDatabase({ url: postgres.url, onError: () => undefined });
// Filling takes longer than a call may.
const filler = newClient();
try {
  await migrate(pool);
  const filledAt = performance.now();
  await filler.connect();
  await fill();
  await filler.end();
  process.stderr.write(`filled in ${((performance.now() - filledAt) / 1000).toFixed(1)} s\n`);
  const subject = { userId: OWNER, userName: OWNER, userType: 2, ownerId: null, sessionId: '' };
  const rights: Rights = { subject, grants: [], now: 1 };
  const search = organizationHandlers({ database, hub: undefined as never })['org/search'];
  const ask = (keyWord: string) =>
    search({ input: { keyWord, pageSize: 100 }, rights: () => Promise.resolve(rights), isWeb: true } as never);
  const all: number[] = [];
  for (const keyWord of KEY_WORDS) {
    await ask(keyWord);
    const times: number[] = [];
    let total = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const startedAt = performance.now();
      ({ total } = await ask(keyWord));
      times.push(performance.now() - startedAt);
    }
    all.push(...times);
    print(keyWord, total, times);
  }
  print('all', 0, all);
} finally {
  await database.destroy();
  await postgres.stop();
}

async function fill(): Promise<void> {
  await filler.query(
    'insert into account (account_id, user_name, user_name_key, password_hash, user_type, created_at) values ($1, $1, $1, $1, 2, 0)',
    [OWNER],
  );
  await filler.query(
    `insert into organization (organization_id, owner_id, organization_name, parent_id, path, created_at)
     select 'o' || n, $1, (array['东区','西区','Harbour','Depot','大厅'])[n % 5 + 1] || ' ' || n, null, array['o' || n], 0
     from generate_series(1, $2::int) as n`,
    [OWNER, ORGANIZATIONS],
  );
  await filler.query(
    `insert into device (device_id, owner_id, device_serial, device_name, device_type, device_model, device_version, manufacturer,
       organization_id, driver, address, device_user_name, credentials, is_operator_address, created_at)
     select 'd' || n, $1, 'SN' || lpad(n::text, 6, '0'),
       (array['东门','Gate','Lobby','停车场','仓库'])[n % 5 + 1] || ' ' || n, 1, '', '', '',
       'o' || (n % $3::int + 1), 'rtsp', '', '', '', false, 0
     from generate_series(1, $2::int) as n`,
    [OWNER, DEVICES, ORGANIZATIONS],
  );
  await filler.query(
    `insert into channel (channel_id, device_id, channel_no, channel_name)
     select 'd' || n || 'c' || c, 'd' || n, c, (array['摄像机','Cam','大厅','Stairs','走廊'])[(n + c) % 5 + 1] || ' ' || n || '-' || c
     from generate_series(1, $1::int) as n, generate_series(1, $2::int) as c`,
    [DEVICES, CHANNELS_EACH],
  );
  await filler.query('analyze');
}

function print(name: string, total: number, times: readonly number[]): void {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  process.stdout.write(
    `${name.padEnd(12)} hits ${String(total).padStart(7)}   p50 ${at(0.5).padStart(7)} ms   p95 ${at(0.95).padStart(7)} ms\n`,
  );
}
