// Measures the running installation every ten seconds and keeps the last hour: processes, database, machine and sites.
import { statfs } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from '../database/connection.ts';
import { databaseFacts } from '../database/health-facts.queries.ts';
import { RareLog } from '../site-link/rare-log.ts';
import type { SitesPort } from '../site-link/site-port.ts';
import { CpuShares } from './cpu-shares.ts';
import { MeasureHistory } from './measure-history.ts';
import { childrenOf, commandOf, machineMemory, ownMemory, postmasterOf, processUsage } from './process-usage.ts';
import type { SiteMeasures } from './site-measures.ts';

const SAMPLE_EVERY_MS = 10_000;
const SAMPLES = 360;
const LOOP_RESOLUTION_MS = 10;
const NS_PER_MS = 1e6;
const GATEWAY = /\bgateway\/main-gateway\.ts\b/;

export interface InstallationSamplerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sites: Pick<SitesPort, 'online'>;
  readonly measures: SiteMeasures;
  readonly dataFolder: string;
  /** Pages that are connected. */
  readonly pages: () => number;
}

type Sample = Map<string, number>;

export class InstallationSampler {
  readonly history = new MeasureHistory(SAMPLES);
  readonly #options: InstallationSamplerOptions;
  readonly #delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  readonly #cpu = new CpuShares();
  readonly #rareLog: RareLog;
  #cancel: () => void = () => undefined;
  #isClosed = false;

  constructor(options: InstallationSamplerOptions) {
    this.#options = options;
    this.#rareLog = new RareLog(options.log, options.clock);
  }

  /** The first sample follows at once, so that somebody who looks early sees something. */
  start(): void {
    this.#delay.enable();
    this.#turn(0);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
    this.#delay.disable();
  }

  #turn(afterMs: number): void {
    this.#cancel = this.#options.clock.after(afterMs, () => {
      void this.#sample().finally(() => {
        if (!this.#isClosed) this.#turn(SAMPLE_EVERY_MS);
      });
    });
  }

  async #sample(): Promise<void> {
    const sample: Sample = new Map();
    const parts = [this.#own, this.#gateway, this.#database, this.#databaseProcesses, this.#machine, this.#sites];
    // What cannot be measured now has no value, and the others have theirs.
    for (const part of parts) {
      try {
        await part(sample);
      } catch (error) {
        this.#rareLog.warn({ err: error }, 'a part of the installation could not be measured');
      }
    }
    this.history.add(sample);
  }

  readonly #own = async (sample: Sample): Promise<void> => {
    const { user, system } = process.cpuUsage();
    this.#setCpu(sample, 'server', (user + system) / 1000);
    sample.set('server.residentBytes', process.memoryUsage.rss());
    const late = this.#delay.count === 0 ? 0 : this.#delay.percentile(99) / NS_PER_MS - LOOP_RESOLUTION_MS;
    sample.set('server.loopDelayMs', Math.max(0, Math.round(late)));
    this.#delay.reset();
    sample.set('server.pages', this.#options.pages());
  };

  readonly #gateway = async (sample: Sample): Promise<void> => {
    for (const pid of await childrenOf(process.ppid)) {
      if (!GATEWAY.test(await commandOf(pid))) continue;
      const usage = await processUsage(pid);
      if (usage === null) return;
      this.#setCpu(sample, 'gateway', usage.cpuMs);
      sample.set('gateway.residentBytes', usage.residentBytes);
      if (usage.handles !== null) sample.set('gateway.handles', usage.handles);
    }
  };

  readonly #database = async (sample: Sample): Promise<void> => {
    const { database, clock } = this.#options;
    const asked = clock.monotonicMs();
    await sql`select 1`.execute(database);
    sample.set('database.latencyMs', Math.round((clock.monotonicMs() - asked) * 10) / 10);
    const { connections, connectionsMost, bytes } = await databaseFacts(database);
    sample.set('database.connections', connections);
    sample.set('database.connectionsMost', connectionsMost);
    sample.set('database.databaseBytes', bytes);
  };

  readonly #databaseProcesses = async (sample: Sample): Promise<void> => {
    const main = await postmasterOf(join(this.#options.dataFolder, 'postgres'));
    const usage = main === null ? null : await processUsage(main);
    if (main === null || usage === null) return;
    const cpuMs = new Map([[main, usage.cpuMs]]);
    // What they share counts once, with the main process.
    let residentBytes = usage.residentBytes;
    for (const pid of await childrenOf(main)) {
      const child = await processUsage(pid);
      if (child === null) continue;
      cpuMs.set(pid, child.cpuMs);
      residentBytes += await ownMemory(pid);
    }
    sample.set('database.cpuShare', rounded(this.#cpu.shareOfAll('database', cpuMs, this.#now())));
    sample.set('database.residentBytes', residentBytes);
  };

  readonly #machine = async (sample: Sample): Promise<void> => {
    const times = cpus().map((core) => core.times);
    const busy = times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, 0);
    this.#setCpu(sample, 'machine', busy / Math.max(1, times.length));
    const memory = await machineMemory();
    if (memory !== null) {
      sample.set('machine.memoryFreeBytes', memory.freeBytes);
      sample.set('machine.memoryBytes', memory.totalBytes);
    }
    const { bavail, blocks, bsize } = await statfs(this.#options.dataFolder);
    sample.set('dataDisk.freeBytes', bavail * bsize);
    sample.set('dataDisk.totalBytes', blocks * bsize);
  };

  readonly #sites = async (sample: Sample): Promise<void> => {
    const { sites, measures, clock } = this.#options;
    for (const { siteId } of sites.online()) {
      const measure = measures.of(siteId, clock.wallMs());
      if (measure === null) continue;
      const { events, loops, process: own, storage } = measure.health;
      const site = `site ${siteId}`;
      if (own !== undefined) {
        const share = this.#cpu.share(`${site} ${own.startedAt}`, own.cpuMs, own.wallMs);
        if (share !== null) sample.set(`${site}.cpuShare`, rounded(share));
        sample.set(`${site}.residentBytes`, own.residentBytes);
        sample.set(`${site}.skewMs`, Math.round(own.wallMs - measure.at));
      }
      if (loops !== undefined) {
        sample.set(`${site}.loopDelayMs`, loops.delayMaxMs);
        sample.set(`${site}.driverRestarts`, loops.driverRestarts);
      }
      if (events !== undefined) {
        sample.set(`${site}.eventsWaiting`, events.waiting);
        sample.set(`${site}.eventsDropped`, events.dropped);
      }
      sample.set(`${site}.usedBytes`, storage.usedBytes);
      sample.set(`${site}.freeBytes`, storage.freeBytes);
    }
  };

  #setCpu(sample: Sample, name: string, cpuMs: number): void {
    const share = this.#cpu.share(name, cpuMs, this.#now());
    if (share !== null) sample.set(`${name}.cpuShare`, rounded(share));
  }

  #now(): number {
    return this.#options.clock.monotonicMs();
  }
}

function rounded(share: number): number {
  return Math.round(share * 1000) / 1000;
}
