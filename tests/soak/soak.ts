// A soak: the whole product under a load of daily use for as long as is wanted, measured all the while.
import { readFile } from 'node:fs/promises';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import tls from 'node:tls';
import type pg from 'pg';
import { type Cameras, startCameras } from '../../bench/measure/cameras.ts';
import { ApiClient } from '../harness/api-client.ts';
import { Product } from '../harness/product.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { GapWatch } from './gap-watch.ts';
import { type AlarmCounts, CAMERA_ALARM, PROGRAM_ALARM, raiseAlarms } from './load/alarms.ts';
import { exportOften } from './load/exports.ts';
import { turnOften } from './load/ptz.ts';
import { playing, restartParts } from './load/restarts.ts';
import { watchOften } from './load/viewers.ts';
import { sampleProcesses } from './measure/process-samples.ts';
import { sampleCalls, sampleDisk } from './measure/product-samples.ts';
import { SampleBook } from './measure/sample-book.ts';
import { openDatabase, rowsOf, sampleTables } from './measure/table-samples.ts';
import type { SoakOptions } from './options.ts';
import { Outages } from './outages.ts';
import { reportTable, type SoakReport, soakReport } from './report.ts';
import { Troubles } from './troubles.ts';
import { again, seededFractions, type SoakCamera, type SoakWorld } from './world.ts';

const PASSWORD = 'Watch-2026';
const STARTED_MS = 180_000;
/** Of the demo's devices, the one that turns. */
const ROOF = 'Roof';
const GAPS_EVERY_MS = 30_000;
const DISK_EVERY_MS = 60_000;

interface Stage {
  readonly product: Product;
  readonly cameras: Cameras;
  readonly roof: VirtualSite;
}

/** Ends early when `ended` aborts, with the report of what there is. `tell` gets a line for people now and then. */
export async function runSoak(
  options: SoakOptions,
  ended: AbortSignal,
  tell: (line: string) => void,
): Promise<{ readonly report: SoakReport; readonly table: string }> {
  mkdirSync(options.folder, { recursive: true });
  // What was started is stopped whatever comes after it, the product before its cameras.
  await using started = new AsyncDisposableStack();
  const cameras = started.adopt(await startCameras(options.cameras, options.kbps), (one) => one.stop());
  const roof = started.adopt(await startVirtualSite(), (one) => one.stop());
  const product = started.adopt(await startProduct(), async (one) => {
    writeFileSync(join(options.folder, 'product.log'), one.log);
    await one.stop();
  });
  return await soakOn({ product, cameras, roof }, options, { ended, tell });
}

/** It would outlive a soak that dies: nothing else ends its group. */
async function startProduct(): Promise<Product> {
  const product = await Product.start({ isFirstStart: true, isOwnGroup: true });
  const end = (): void => {
    product.process.kill('SIGTERM');
  };
  process.once('exit', end);
  product.process.once('exit', () => process.off('exit', end));
  return product;
}

async function soakOn(
  stage: Stage,
  options: SoakOptions,
  { ended, tell }: { readonly ended: AbortSignal; readonly tell: (line: string) => void },
): Promise<{ readonly report: SoakReport; readonly table: string }> {
  const { product } = stage;
  const operator = await product.setUp('operator', PASSWORD);
  // Over TLS from here on, as from any other machine.
  const authority = await readFile(join(product.data, 'tls', 'ca.pem'), 'utf8');
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), authority]);
  const secure = new ApiClient(product.url.replace('http:', 'https:'));
  secure.accessToken = operator.accessToken;
  await setQuota(secure, options.quotaBytes);
  const added = await addCameras(secure, stage);
  await waitFor(
    'every camera to be played',
    async () => (await playing({ operator: secure })) > options.cameras,
    STARTED_MS,
  );
  const outages = new Outages();
  const world: SoakWorld = {
    ...added,
    options,
    product,
    url: secure.base,
    operator: secure,
    book: new SampleBook(join(options.folder, 'samples.csv'), options.warmUpMs),
    outages,
    troubles: new Troubles(outages, tell),
    random: seededFractions(options.seed),
    signal: AbortSignal.any([ended, AbortSignal.timeout(options.ms)]),
  };
  tell(`${options.cameras} cameras are recorded; samples are written to ${options.folder}`);
  return await loaded(world);
}

async function setQuota(operator: ApiClient, budgetBytes: number): Promise<void> {
  const { config, version } = await operator.ok('system/config/get', {});
  const storage = { ...config.storage, budgetBytes };
  await operator.ok('system/config/set', { config: { ...config, storage }, version });
}

async function addCameras(operator: ApiClient, { cameras, roof }: Stage): Promise<Pick<SoakWorld, 'cameras' | 'roof'>> {
  const serials: SoakCamera[] = [];
  for (const [index, { url, user, password }] of cameras.list.entries()) {
    const order = { target: url, user, password, deviceName: `Camera ${index + 1}` };
    const { device } = await operator.ok('device/add', order);
    serials.push({ deviceSerial: device.deviceSerial, channelNo: 1 });
  }
  const turning = roof.devices.find(({ name }) => name === ROOF);
  if (!turning) throw new Error(`no virtual device is called ${ROOF}`);
  const { target, user, password } = turning;
  const { device } = await operator.ok('device/add', { target, user, password, deviceName: ROOF });
  const { deviceSerial } = device;
  return { cameras: serials, roof: { deviceSerial, channelNo: 1, controlUrl: roof.controlUrl } };
}

async function loaded(world: SoakWorld): Promise<{ readonly report: SoakReport; readonly table: string }> {
  const startedMs = performance.now();
  const database = openDatabase(world.product.data);
  const gaps = new GapWatch(world, Date.now());
  const [visits, turns, exported] = [{ total: 0, frames: 0 }, { total: 0 }, { total: 0 }];
  const acknowledged = { program: 0, camera: 0 };
  await Promise.all([
    watchOften(world, PASSWORD, visits),
    raiseAlarms(world, acknowledged),
    turnOften(world, turns),
    exportOften(world, exported),
    restartParts(world, startedMs),
    ...measuring(world, database, gaps),
  ]);
  const ranMs = performance.now() - startedMs;
  await gaps.look();
  const alarms = { acknowledged, stored: await storedAlarms(database) };
  await Promise.all([database.end(), world.book.close()]);
  const { report, series } = soakReport({
    ...world,
    ranMs,
    alarms,
    visits,
    outages: world.outages.all,
    gaps: gaps.gaps,
    lookedMs: gaps.lookedMs,
    turns: turns.total,
    exports: exported.total,
  });
  const table = reportTable(series);
  writeFileSync(
    join(world.options.folder, 'report.json'),
    `${JSON.stringify({ soak: report, gaps: gaps.gaps, series })}\n`,
  );
  writeFileSync(join(world.options.folder, 'report.txt'), `${table}\n`);
  return { report, table };
}

function measuring(world: SoakWorld, database: pg.Pool, gaps: GapWatch): Promise<void>[] {
  const { options, product, book } = world;
  const every = (ms: number, what: string, run: () => Promise<void>): Promise<void> =>
    again(world, what, () => ms, run);
  return [
    every(options.sampleMs, 'samples of processes', () => sampleProcesses(product.process.pid ?? 0, book)),
    every(options.sampleMs, 'a call', () => sampleCalls(world)),
    every(options.sampleMs * 2, 'samples of tables', () => sampleTables(database, book)),
    every(Math.min(DISK_EVERY_MS, options.sampleMs * 4), 'samples of the disk', () => sampleDisk(world)),
    every(GAPS_EVERY_MS, 'a look for gaps', () => gaps.look()),
  ];
}

async function storedAlarms(database: pg.Pool): Promise<AlarmCounts> {
  const of = (type: string): Promise<number> => rowsOf(database, 'alarm', `type = '${type}'`);
  return { program: await of(PROGRAM_ALARM), camera: await of(CAMERA_ALARM) };
}
