// npm run bench:statistics: how long the statistics of a year of a thousand cameras take, each section and all of them.
import { pino } from 'pino';
import pg from 'pg';
import { systemClock as clock } from '@vedette/foundation/time/clock.ts';
import { openDatabase } from '../server/database/connection.ts';
import { migrate } from '../server/database/migrate.ts';
import { alarmStatistics } from '../server/features/statistic/alarm-statistics.ts';
import { deviceStatistics } from '../server/features/statistic/device-statistics.ts';
import { storageStatistics } from '../server/features/statistic/storage-statistics.ts';
import { trafficStatistics } from '../server/features/statistic/traffic-statistics.ts';
import { StatisticJobs } from '../server/statistic/statistic-jobs.ts';
import { startTestDatabase } from '../tests/contract/test-database.ts';
import { fillStatistics, statisticQuestion } from '../tests/harness/many-statistics.ts';

const CAMERAS = Number(process.env['CAMERAS'] ?? 1000);
const ROUNDS = Number(process.env['ROUNDS'] ?? 20);
const YEAR_DAYS = 365;
/** Of two years: the one that is asked for, and the one before. */
const MONTHS = 26;
/** The longest range that is told by days. */
const DAILY_DAYS = 92;

const postgres = await startTestDatabase({ isDurable: true });
const { database, pool } = openDatabase({
  url: postgres.url,
  onError: (error) => process.stderr.write(`${error.message}\n`),
});
try {
  process.stdout.write(`${JSON.stringify(await measure())}\n`);
} finally {
  await database.destroy();
  await postgres.stop();
}

async function measure() {
  await migrate(pool);
  const client = new pg.Client(postgres.url);
  await client.connect();
  const now = clock.wallMs();
  await fillStatistics(client, { cameras: CAMERAS, days: YEAR_DAYS, months: MONTHS, now });
  await client.end();
  const noSites = { sites: { at: () => undefined as never }, storageLimits: () => undefined as never };
  const answers = {
    device: deviceStatistics,
    alarm: alarmStatistics,
    storage: (question: ReturnType<typeof statisticQuestion>) => storageStatistics(noSites, question),
    traffic: trafficStatistics,
  };
  const took: Record<string, { p50: number; p95: number }> = {};
  for (const [name, answer] of Object.entries(answers)) {
    for (const days of [YEAR_DAYS, DAILY_DAYS]) {
      const question = statisticQuestion(database, { days, now });
      took[`${name}${days}Days`] = await timed(async () => void (await answer(question)));
    }
  }
  const log = pino({ level: 'silent' });
  const jobs = new StatisticJobs({ database, clock, log, timeZone: 'Europe/Berlin' });
  await database
    .insertInto('device_status_change')
    .columns(['device_id', 'at', 'status', 'reason'])
    .expression((from) =>
      from
        .selectFrom('device')
        .select((one) => [
          'device_id',
          one.val(now - 3_600_000).as('at'),
          one.lit(1).as('status'),
          one.val(null).as('reason'),
        ]),
    )
    .execute();
  return { cameras: CAMERAS, answerMs: took, countMs: await timed(() => jobs.run()) };
}

async function timed(run: () => Promise<void>): Promise<{ p50: number; p95: number }> {
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = performance.now();
    await run();
    took.push(performance.now() - before);
  }
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number): number => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  return { p50: at(0.5), p95: at(0.95) };
}
