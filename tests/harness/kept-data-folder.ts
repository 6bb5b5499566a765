// Puts together a data folder of an earlier version from tests/fixtures: its files, and its database in a cluster as the launcher makes one.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import pg from 'pg';
import { findPostgres } from '../../launcher/postgres/binaries.js';
import { openCluster } from '../../launcher/postgres/cluster.js';
import { SealedFile } from '../../site/state/sealed-file.ts';
import type { FixtureFacts } from '../fixtures/data-answers.ts';

const ROOT = new URL('../../', import.meta.url).pathname;

export class KeptDataFolder {
  readonly data: string;
  readonly masterKey: Buffer;
  readonly facts: FixtureFacts;
  readonly #fixture: string;
  readonly #work: string;

  /** `name`: of the folder below tests/fixtures. */
  constructor(name: string) {
    this.#fixture = join(ROOT, 'tests', 'fixtures', name);
    this.#work = mkdtempSync(join(tmpdir(), 'vedette-kept-'));
    this.data = join(this.#work, 'data');
    this.facts = JSON.parse(readFileSync(join(this.#fixture, 'facts.json'), 'utf8')) as FixtureFacts;
    cpSync(join(this.#fixture, 'files'), this.data, { recursive: true });
    this.masterKey = Buffer.from(readFileSync(join(this.data, 'keys', 'master'), 'utf8').trim(), 'hex');
  }

  /** The schema of that version alone. */
  get schemaSql(): string {
    return readFileSync(join(this.#fixture, 'schema.sql'), 'utf8');
  }

  get rowsSql(): string {
    return readFileSync(join(this.#fixture, 'rows.sql'), 'utf8').replaceAll('@DATA@', this.data);
  }

  /** The embedded cluster with the database in it, at rest; `look` sees it before. */
  async makeCluster(look: (client: pg.Client) => Promise<void>): Promise<void> {
    await this.withCluster(async (client) => {
      await client.query(this.schemaSql);
      await client.query(this.rowsSql);
      await look(client);
    });
  }

  /** While no product runs on the folder; `data`: another one, restored from it. */
  async withCluster(look: (client: pg.Client) => Promise<void>, data = this.data): Promise<void> {
    const runFolder = join(this.#work, 'run');
    mkdirSync(runFolder, { recursive: true, mode: 0o700 });
    const log: string[] = [];
    const cluster = openCluster({
      programs: findPostgres(ROOT),
      clusterFolder: join(data, 'postgres'),
      runFolder,
      log: (line) => log.push(line),
      onPid: () => undefined,
      stopping: new AbortController().signal,
    });
    try {
      await cluster.start();
      const client = new pg.Client({ connectionString: cluster.url });
      await client.connect();
      try {
        await look(client);
      } finally {
        await client.end();
      }
    } finally {
      await cluster.process.end();
    }
  }

  /**
   * What the site keeps sealed names the folder of the recordings, which stood elsewhere: opened, and sealed again with its place here.
   * Answers what was in it.
   */
  async moveAssignments(): Promise<{ devices: { deviceSerial: string; password: string }[] }> {
    const file = new SealedFile({
      disk: createDisk(),
      path: join(this.data, 'site', 'assignments.sealed'),
      masterKey: this.masterKey,
      purpose: 'assignments',
    });
    const kept = (await file.read((error) => {
      throw error;
    })) as {
      devices: { deviceSerial: string; password: string }[];
      settings: { storage: { folder: string } };
      storageIds: Record<string, string>;
    };
    const folder = join(this.data, 'recordings');
    const [id = ''] = Object.values(kept.storageIds);
    const { settings } = kept;
    const moved = { ...settings, storage: { ...settings.storage, folder } };
    await file.write({ ...kept, settings: moved, storageIds: { [folder]: id } });
    return kept;
  }

  remove(): void {
    rmSync(this.#work, { recursive: true, force: true });
  }
}
