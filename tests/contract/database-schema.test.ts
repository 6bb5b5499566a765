// The schema that the migrations make is the one kept in the tree, and the types of the tables are those of its columns.
import { DELIVERY_STATES } from '@vedette/contract/alarm-channels.ts';
import { FLOOR_PLAN_PICTURE_TYPES } from '@vedette/contract/calls/floor-plan.ts';
import { UPGRADE_STATES } from '@vedette/contract/calls/firmware.ts';
import { IMPORT_STATES } from '@vedette/contract/calls/onboarding.ts';
import { EXPORT_STATES } from '@vedette/contract/calls/record-export.ts';
import {
  ANALYSIS_ALGORITHMS,
  CDN_PROVIDER_KINDS,
  CDN_SIGNINGS,
  CLOUD_COMBO,
  DEVICE_STATUS,
  USER_TYPE,
} from '@vedette/contract/enumerations.ts';
import { QUOTA_USER_TYPES } from '@vedette/contract/quotas.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePartition } from '../../server/database/alarm/alarm-partitions.ts';
import { type DatabaseConnection, openDatabase } from '../../server/database/connection.ts';
import { listMigrations, migrate } from '../../server/database/migrate.ts';
import { KeptDataFolder } from '../harness/kept-data-folder.ts';
import { readSchema } from '../harness/read-schema.ts';
import { expectSnapshot } from '../project/snapshot-file.ts';
import { type DeclaredColumn, declaredColumns } from './column-types.ts';
import { startTestDatabase, type TestDatabase } from './test-database.ts';

let postgres: TestDatabase;
let connection: DatabaseConnection;

beforeAll(async () => {
  postgres = await startTestDatabase();
  connection = openDatabase({ url: postgres.url, onError: () => undefined });
  await migrate(connection.pool);
  await makePartition(connection.database, 20_000);
});
afterAll(async () => {
  await connection?.database.destroy();
  await postgres?.stop();
});

it('is the snapshot in the tree', async () => {
  const schema = await readSchema(connection.pool);
  expect(schema.length).toBeGreaterThan(500);
  expectSnapshot('server/database/schema.snapshot.txt', [
    ...listMigrations().map((one) => `migration ${one}`),
    ...schema,
  ]);
});

it('has an index under every foreign key', async () => {
  const { rows } = await connection.pool.query<{ name: string }>(
    `select format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) as name from pg_constraint as key
     where contype = 'f' and connamespace = 'public'::regnamespace and not exists (
       select from pg_index where indrelid = conrelid and indpred is null
         and (indkey::int2[])[0:cardinality(conkey) - 1] @> conkey)`,
  );
  expect(rows.map(({ name }) => name)).toEqual([]);
});

it.each([
  ['account.user_type', Object.values(USER_TYPE)],
  ['invitation.user_type', Object.values(USER_TYPE)],
  ['quota_default.user_type', QUOTA_USER_TYPES],
  ['device.status', Object.values(DEVICE_STATUS)],
  ['channel.status', Object.values(DEVICE_STATUS)],
  ['device_import.state', IMPORT_STATES],
  ['device_upgrade.state', UPGRADE_STATES],
  ['export_task.state', EXPORT_STATES],
  ['alarm_delivery.state', DELIVERY_STATES],
  ['floor_plan.picture_type', FLOOR_PLAN_PICTURE_TYPES],
  ['analysis_task.algorithm', ANALYSIS_ALGORITHMS],
  ['cdn_provider.signing', CDN_SIGNINGS],
  ['cdn_provider.kind', CDN_PROVIDER_KINDS],
  ['cloud_plan.combo_type', Object.values(CLOUD_COMBO)],
] as const)('allows in %s the values of the contract and no other', async (column, values) => {
  const [table, name] = column.split('.');
  const { rows } = await connection.pool.query<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = $1::regclass and conname = $2`,
    [table, `${table}_${name}_check`],
  );
  const allowed = [...(rows[0]?.definition ?? '').matchAll(/'([\w/-]+)'|\(?(-?\d+)\)?(?=[,\]])/g)];
  expect(allowed.map(([, text, number]) => text ?? number).sort()).toEqual(values.map(String).sort());
});

it('is the same whether made anew or migrated from 0.1.0 with its rows', async () => {
  const kept = new KeptDataFolder('data-0.1.0');
  await connection.pool.query('create database kept');
  const migrated = openDatabase({ url: postgres.url.replace('/vedette?', '/kept?'), onError: () => undefined });
  try {
    await migrated.pool.query(kept.schemaSql);
    await migrated.pool.query(kept.rowsSql);
    const done = await migrate(migrated.pool);
    expect(done.length).toBeGreaterThan(0);
    const schema = await readSchema(migrated.pool);
    expect(schema).toEqual(await readSchema(connection.pool));
  } finally {
    await migrated.database.destroy();
    kept.remove();
  }
});

/** What a column reads as; JSON may be a list as well. */
const KINDS: Readonly<Record<string, RegExp>> = {
  text: /^string$/,
  smallint: /^number$/,
  integer: /^number$/,
  'double precision': /^number$/,
  bigint: /^number$/,
  boolean: /^boolean$/,
  bytea: /^Buffer$/,
  jsonb: /^(object|unknown|\w+\[\])$/,
  'text[]': /^string\[\]$/,
  path: /^string$/,
  point: /^object$/,
  'integer[]': /^number\[\]$/,
  'bigint[]': /^number\[\]$/,
  // Digits: it passes what a number holds.
  numeric: /^string$/,
  'boolean[]': /^boolean\[\]$/,
  'timestamp with time zone': /^Date$/,
};
/** The list of migrations is read before any type could help. */
const UNTYPED = ['migration'];

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
  readonly isComputed: boolean;
  /** Rows go through a trigger before they are stored. */
  readonly hasTrigger: boolean;
}

it('has the columns that the types of its tables declare, with their kinds, nulls and defaults', async () => {
  const declared = declaredColumns();
  const { rows } = await connection.pool.query<Column>(
    `select relname || '.' || attname as name, format_type(atttypid, null) as type, not attnotnull as "isNullable",
       atthasdef as "hasDefault", attgenerated <> '' or attidentity = 'a' as "isComputed",
       exists (select from pg_trigger where tgrelid = attrelid and tgtype & 7 = 7) as "hasTrigger"
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and attnum > 0 and not attisdropped and relname <> all ($1)`,
    [UNTYPED],
  );
  expect(rows.length).toBeGreaterThan(300);
  const wrong = rows.flatMap((column) => faults(column, declared.get(column.name)));
  const names = new Set(rows.map(({ name }) => name));
  const gone = [...declared.keys()].filter((name) => !names.has(name));
  expect([...wrong, ...gone.map((name) => `${name} is declared and no column`)]).toEqual([]);
}, 120_000);

function faults(column: Column, declared: DeclaredColumn | undefined): string[] {
  const { name, type, isNullable, hasDefault, isComputed, hasTrigger } = column;
  if (declared === undefined) return [`${name} has no type`];
  const kind = KINDS[type];
  const mayBeLeftOut = hasDefault || isNullable || isComputed;
  const { isWritten } = declared;
  const checks: readonly (readonly [isWrong: boolean, fault: string])[] = [
    [!kind?.test(declared.kind), `is ${type} and read as ${declared.kind}`],
    [isNullable !== declared.isNullable, `is ${isNullable ? '' : 'not '}nullable, its type says otherwise`],
    [isWritten === 'left out' && !mayBeLeftOut, 'has no default and may be left out'],
    [isWritten === 'never' && !mayBeLeftOut && !hasTrigger, 'has no default and is never written'],
    [isWritten !== 'never' && isComputed, 'is computed and may be written'],
  ];
  return checks.flatMap(([isWrong, fault]) => (isWrong ? [`${name} ${fault}`] : []));
}
