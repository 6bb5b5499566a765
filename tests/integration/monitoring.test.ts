// Debian's Prometheus reads the product: names, alert rules, and each query of the dashboard.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';

const run = promisify(execFile);
const ROOT = new URL('../../', import.meta.url).pathname;
const FOLDER = join(ROOT, 'docs/operations/monitoring');
const PROGRAMS = join(ROOT, '.vedette/peers/prometheus/usr/bin');
const OPERATOR = ['operator', 'Watch-2026'] as const;
/** What a healthy installation of one hour does not have. */
const MAY_BE_EMPTY = ['vedette_backup_last_success_timestamp_seconds'];

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

describe.skipIf(!existsSync(PROGRAMS))('Prometheus', () => {
  let product: Product;
  let prometheus: Prometheus;

  beforeAll(async () => {
    product = await Product.start({ demo: true });
    const operator = await product.setUp(...OPERATOR);
    await waitFor('cameras', async () => (await operator.ok('device/list', { status: 1 })).total >= 8, 60_000);
    prometheus = await Prometheus.start(product.url);
  }, 180_000);

  afterAll(async () => {
    await prometheus?.stop();
    await product?.stop();
  });

  it('finds no fault in the names, units and texts of the metrics', async () => {
    const text = await (await fetch(`${product.url}/metrics`)).text();
    const lint = spawn(join(PROGRAMS, 'promtool'), ['check', 'metrics'], { stdio: ['pipe', 'pipe', 'pipe'] });
    lint.stdin.end(text);
    let said = '';
    for (const stream of [lint.stdout, lint.stderr]) stream.on('data', (bytes: Buffer) => (said += bytes.toString()));
    const [code] = await once(lint, 'close');
    expect([code, said]).toEqual([0, '']);
  });

  it('answers each query of the dashboard', async () => {
    const { panels } = JSON.parse(await readFile(join(FOLDER, 'grafana-dashboard.json'), 'utf8')) as Dashboard;
    const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(queries.length).toBeGreaterThan(15);
    for (const expr of queries.filter((one) => !MAY_BE_EMPTY.some((name) => one.includes(name))))
      await waitFor(`an answer to ${expr}`, async () => (await prometheus.query(expr)).length > 0, 30_000);
    for (const expr of queries) expect(Array.isArray(await prometheus.query(expr)), expr).toBe(true);
  });

  it('loads the alert rules, whose metrics all exist', async () => {
    const names = new Set((await readFile(join(FOLDER, 'vedette-rules.yml'), 'utf8')).match(/vedette_\w+/g));
    const optional = [...MAY_BE_EMPTY, 'vedette_certificate_expiry_timestamp_seconds'];
    for (const name of [...names].filter((one) => !optional.includes(one)))
      await waitFor(`values of ${name}`, async () => (await prometheus.query(`count(${name})`)).length > 0, 30_000);
    await waitFor('each rule to be evaluated without a fault', async () => {
      const healths = await prometheus.ruleHealths();
      return healths.length > 10 && healths.every((health) => health === 'ok');
    });
  });

  it('each alert fires in its drill, and none of a healthy installation', async () => {
    const rules = await readFile(join(FOLDER, 'vedette-rules.yml'), 'utf8');
    const drill = await readFile(join(FOLDER, 'vedette-rules.test.yml'), 'utf8');
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    const fired = [...drill.matchAll(/alertname="(\w+)"/g)].map(([, name]) => name);
    expect(fired.toSorted()).toEqual(alerts.toSorted());
    await run(join(PROGRAMS, 'promtool'), ['test', 'rules', 'vedette-rules.test.yml'], { cwd: FOLDER });
  });
});

/** Debian's, reading the product and judging the rules once a second. */
class Prometheus {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #url: string;

  private constructor(child: ChildProcess, folder: string, url: string) {
    this.#child = child;
    this.#folder = folder;
    this.#url = url;
  }

  static async start(target: string): Promise<Prometheus> {
    const folder = await mkdtemp(join(tmpdir(), 'vedette-prometheus-'));
    const file = join(folder, 'prometheus.yml');
    const config = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [join(FOLDER, 'vedette-rules.yml')],
      scrape_configs: [{ job_name: 'vedette', static_configs: [{ targets: [new URL(target).host] }] }],
    };
    // JSON is YAML.
    await writeFile(file, JSON.stringify(config));
    const where = ['--web.listen-address=127.0.0.1:0', `--storage.tsdb.path=${join(folder, 'data')}`];
    const child = spawn(join(PROGRAMS, 'prometheus'), [`--config.file=${file}`, ...where], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const prometheus = new Prometheus(child, folder, `http://${await listeningAt(child)}`);
    await waitFor('the product to be read', async () => (await prometheus.query('up == 1')).length > 0, 60_000);
    return prometheus;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** One entry per time series. */
  async query(expr: string): Promise<unknown[]> {
    const { result } = await this.#ask<{ result: unknown[] }>(`query?${new URLSearchParams({ query: expr })}`);
    return result;
  }

  async ruleHealths(): Promise<string[]> {
    const { groups } = await this.#ask<{ groups: { rules: { health: string }[] }[] }>('rules');
    return groups.flatMap(({ rules }) => rules.map(({ health }) => health));
  }

  async #ask<T>(path: string): Promise<T> {
    const answer = (await (await fetch(`${this.#url}/api/v1/${path}`)).json()) as { error?: string; data: T };
    if (answer.error !== undefined) throw new Error(`${path}: ${answer.error}`);
    return answer.data;
  }
}

/** From its log, which is read to the end: a full pipe would stop it. */
function listeningAt(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`Prometheus ended with ${code}`)));
    if (child.stderr === null) return;
    createInterface({ input: child.stderr }).on('line', (line) => {
      const [, address] = /msg="Listening on" address=(\S+)/.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
}
