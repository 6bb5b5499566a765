// npm run bench:sightings: times the search for what edge intelligence saw over a million sightings on 40 cameras (≤ 300 ms p95).
import { performance } from 'node:perf_hooks';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { DAY_MS, HOUR_MS } from '@vedette/foundation/units/durations.ts';
import { openDatabase } from '../server/database/connection.ts';
import { migrate } from '../server/database/migrate.ts';
import type { Rights } from '../server/auth/rights.ts';
import { sightingHandlers } from '../server/features/sighting/sighting.handlers.ts';
import { startTestDatabase } from '../tests/contract/test-database.ts';

const ROWS = Number(process.env['BENCH_ROWS'] ?? 1_000_000);
const CAMERAS = 40;
const DAYS = 30;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 20);
const AT_ONCE = 50_000;
const OWNER = 'owner';
const NOW = 1_800_000_000_000;

type Search = CallInput<'ai/sighting/list'>;
const month = { startTime: NOW - DAYS * DAY_MS, endTime: NOW };
const evening = { startTime: NOW - DAY_MS - 6 * HOUR_MS, endTime: NOW - DAY_MS - 2 * HOUR_MS };
const square = (left: number, top: number, side: number) => [
  { x: left, y: top },
  { x: left + side, y: top },
  { x: left + side, y: top + side },
  { x: left, y: top + side },
];
const three = [1, 2, 3].map((at) => ({ deviceSerial: `SN${at}` }));

/** Feet keep to the lower nine tenths: what asks for the upper border finds nothing, and looks at all. */
const SEARCHES: Readonly<Record<string, Search>> = {
  'everything, a month': month,
  'people, an evening, three cameras': { ...evening, classList: ['person'], devices: three },
  'people, a month, an area': { ...month, classList: ['person'], zone: square(0.4, 0.6, 0.2) },
  'animals, a month': { ...month, classList: ['animal'] },
  'an area where nobody was, a month': { ...month, zone: square(0, 0, 0.09) },
  'an area where nobody was, an evening, three cameras': { ...evening, devices: three, zone: square(0, 0, 0.09) },
};

const postgres = await startTestDatabase({ isDurable: true });
const { database, pool, newClient } = openDatabase({ url: postgres.url, onError: () => undefined });
// Filling takes longer than a call may.
const filler = newClient();
try {
  await migrate(pool);
  const filledAt = performance.now();
  await filler.connect();
  await fill();
  process.stderr.write(`filled in ${((performance.now() - filledAt) / 1000).toFixed(1)} s\n`);
  const subject = { userId: OWNER, userName: OWNER, userType: 2, ownerId: null, sessionId: '' };
  const rights: Rights = { subject, grants: [], now: NOW };
  const list = sightingHandlers({ database })['ai/sighting/list'];
  const ask = (input: Search) =>
    list({ input: { pageSize: 48, ...input }, rights: () => Promise.resolve(rights), isWeb: true } as never);
  const p95Ms: Record<string, number> = {};
  for (const [name, input] of Object.entries(SEARCHES)) {
    await ask(input);
    const times: number[] = [];
    let found = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const startedAt = performance.now();
      found = (await ask(input)).sightingList.length;
      times.push(performance.now() - startedAt);
    }
    p95Ms[name] = Math.round(p95(times) * 10) / 10;
    process.stderr.write(`${name}: ${found} found, p95 ${p95Ms[name]} ms\n`);
  }
  process.stdout.write(`${JSON.stringify({ bench: 'sightings', rows: ROWS, p95Ms })}\n`);
} finally {
  await filler.end();
  await database.destroy();
  await postgres.stop();
}

function p95(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? 0;
}

async function fill(): Promise<void> {
  await filler.query(
    'insert into account (account_id, user_name, user_name_key, password_hash, user_type, created_at) values ($1, $1, $1, $1, 2, 0)',
    [OWNER],
  );
  await filler.query(
    `insert into device (device_id, owner_id, device_serial, device_name, device_type, device_model, device_version, manufacturer,
       driver, address, device_user_name, credentials, is_operator_address, created_at)
     select 'd' || n, $1, 'SN' || n, 'Camera ' || n, 1, '', '', '', 'rtsp', '', '', '', false, 0
     from generate_series(1, $2::int) as n`,
    [OWNER, CAMERAS],
  );
  await filler.query(
    `insert into channel (channel_id, device_id, channel_no, channel_name)
     select 'c' || n, 'd' || n, 1, 'Channel ' || n from generate_series(1, $1::int) as n`,
    [CAMERAS],
  );
  for (let first = 1; first <= ROWS; first += AT_ONCE) await fillRows(first, Math.min(ROWS, first + AT_ONCE - 1));
  await filler.query('vacuum analyze sighting, sighting_hour');
  await filler.query('analyze');
}

async function fillRows(first: number, last: number): Promise<void> {
  // Seven of ten are people, one of two hundred an animal; each walks a tenth of the picture in one row of cells.
  await filler.query(
    `insert into sighting (channel_id, owner_id, track_id, object_class, score, start_time, end_time, best_time, boxes,
       foot_path, foot_start, foot_cells, regions)
     select 'c' || 1 + n % $2::int, $1, n, case when n % 200 = 0 then 'animal' when n % 10 < 7 then 'person' else 'vehicle' end,
       0.7, at, at + 8000, at + 3000, boxes, path(format('[(%s,%s),(%s,%s)]', x, y, x + 0.1, y)), point(x, y),
       (1::bigint << (8 * least(7, floor(y * 8))::int + least(7, floor(x * 8))::int))
         | (1::bigint << (8 * least(7, floor(y * 8))::int + least(7, floor((x + 0.1) * 8))::int)), '{Yard}'
     from (select n, $3::bigint - n::bigint * ($4::bigint / $5::bigint) as at,
         (n::bigint * 7919 % 1000) / 1112.0 as x, 0.1 + (n::bigint * 104729 % 1000) / 1112.0 as y,
         (select jsonb_agg(jsonb_build_array(step * 400, 0.1234, 0.2345, 0.1111, 0.3333)) from generate_series(0, 20) as step) as boxes
       from generate_series($6::int, $7::int) as n) as made`,
    [OWNER, CAMERAS, NOW, DAYS * DAY_MS, ROWS, first, last],
  );
}
