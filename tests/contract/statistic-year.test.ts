// A year of a thousand cameras is answered from the rows of its months alone: read by index, and no more of them than there are.
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DatabaseConnection, openDatabase } from '../../server/database/connection.ts';
import type { DatabaseSchema } from '../../server/database/schema/schema.ts';
import { alarmStatistics } from '../../server/features/statistic/alarm-statistics.ts';
import { deviceStatistics } from '../../server/features/statistic/device-statistics.ts';
import type { StatisticParts, StatisticQuestion } from '../../server/features/statistic/statistic-parts.ts';
import { storageStatistics } from '../../server/features/statistic/storage-statistics.ts';
import { trafficStatistics } from '../../server/features/statistic/traffic-statistics.ts';
import { fillStatistics, statisticQuestion } from '../harness/many-statistics.ts';
import { openTestDatabase, type TestDatabase } from './test-database.ts';

const CAMERAS = 1000;
/** A year in months, and the one before. */
const MONTHS = 26;
const now = Date.parse('2026-11-26T12:00:00Z');

interface Asked {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

let postgres: TestDatabase;
let connection: DatabaseConnection;
let client: pg.Client;
/** Every statement that was sent to the database. */
const asked: Asked[] = [];
let question: StatisticQuestion;

beforeAll(async () => {
  postgres = await openTestDatabase();
  connection = openDatabase({ url: postgres.url, onError: () => undefined });
  client = new pg.Client(postgres.url);
  await client.connect();
  await fillStatistics(client, { cameras: CAMERAS, days: 250, months: MONTHS, now });
  const heard = new Kysely<DatabaseSchema>({
    dialect: new PostgresDialect({ pool: connection.pool }),
    log: ({ query: { sql, parameters } }) => void asked.push({ sql, parameters }),
  });
  question = statisticQuestion(heard, { days: 365, now });
}, 120_000);
afterAll(async () => {
  await client?.end();
  await connection?.database.destroy();
  await postgres?.stop();
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** What a statement reads of the tables of statistics. */
async function scansOf({ sql, parameters }: Asked): Promise<{ type: string; rows: number }[]> {
  const { rows } = await client.query(`explain (analyze, format json) ${sql}`, [...parameters]);
  const nodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodes)];
  return nodes(rows[0]['QUERY PLAN'][0].Plan as PlanNode)
    .filter((node) => node['Relation Name']?.endsWith('_statistic'))
    .map((node) => ({
      type: node['Node Type'],
      rows: (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    }));
}

const noSites = { sites: { at: () => undefined as never }, storageLimits: () => undefined as never };
const answers: readonly [string, number, (asking: StatisticQuestion) => Promise<StatisticParts>][] = [
  ['devices', 2, deviceStatistics],
  ['alarms', 3, alarmStatistics],
  ['storage', 1, (asking) => storageStatistics(noSites, asking)],
  ['traffic', 2, trafficStatistics],
];

it.each(answers)('[RS-06] a year of %s', async (_name, rowsOfMonth, answer) => {
  asked.length = 0;
  const { seriesList, breakdownList } = await answer(question);
  expect(seriesList[0]?.valueList).toHaveLength(13);
  expect(seriesList[0]?.valueList.every((value) => value !== null && value > 0)).toBe(true);
  expect(breakdownList[0]?.rowList.length).toBeGreaterThan(0);
  const reads = asked.filter(({ sql }) => sql.includes('_statistic'));
  expect(reads.length).toBeGreaterThan(0);
  for (const read of reads) {
    const scans = await scansOf(read);
    expect(scans.length, read.sql).toBeGreaterThan(0);
    expect(scans.map(({ type }) => type).filter((type) => type === 'Seq Scan' || type === 'Parallel Seq Scan')).toEqual(
      [],
    );
    const rows = scans.reduce((sum, scan) => sum + scan.rows, 0);
    expect(rows, read.sql).toBeLessThanOrEqual(CAMERAS * MONTHS * rowsOfMonth);
  }
});
