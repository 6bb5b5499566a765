// The text of /metrics: what the server counts itself, its sites, and, while the database answers, the parts and the devices.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Logger } from 'pino';
import type { HealthEntry } from '@vedette/contract/calls/system-health.ts';
import type { DeviceCount } from '../database/device/device-counts.queries.ts';
import type { CallCounters } from './call-counters.ts';
import { type Metric, writeMetrics } from './exposition.ts';
import { healthMetrics } from './health-metrics.ts';
import { siteMetrics, type SiteState } from './site-metrics.ts';

export interface InstallationState {
  readonly sites: readonly SiteState[];
  readonly partList: readonly HealthEntry[];
}

export interface MetricsOptions {
  readonly version: string;
  readonly log: Logger;
  readonly counters: CallCounters;
  /** Pages that are connected. */
  readonly pages: () => number;
  readonly health: () => Promise<InstallationState>;
  readonly devices: () => Promise<readonly DeviceCount[]>;
}

export function createMetricsPage(options: MetricsOptions): () => Promise<string> {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  return async () => {
    const own = ownMetrics(options, delay.percentile(99) / 1e9);
    try {
      const [{ sites, partList }, devices] = await Promise.all([options.health(), options.devices()]);
      const others = [...siteMetrics(sites), ...healthMetrics(partList), deviceMetric(devices)];
      return writeMetrics([databaseUp(1), ...own, ...others]);
    } catch (error) {
      options.log.warn({ err: error }, 'metrics of the database are left out');
      return writeMetrics([databaseUp(0), ...own]);
    }
  };
}

function ownMetrics({ version, counters, pages }: MetricsOptions, loopDelaySeconds: number): Metric[] {
  return [
    gauge('vedette_build_info', 'Version of the server; always 1.', 1, { version }),
    gauge('vedette_pages', 'Pages that are connected.', pages()),
    gauge('vedette_server_resident_bytes', 'Memory of the server.', process.memoryUsage.rss()),
    gauge(
      'vedette_server_event_loop_delay_p99_seconds',
      'Delay of the event loop of the server, 99 % of the time below.',
      loopDelaySeconds,
    ),
    counters.metric(),
  ];
}

function databaseUp(value: number): Metric {
  return gauge(
    'vedette_database_up',
    'Whether the database answered; while it is 0, metrics from it are missing.',
    value,
  );
}

function deviceMetric(devices: readonly DeviceCount[]): Metric {
  return {
    name: 'vedette_devices',
    help: 'Devices by site and connection: online, offline, or unknown while their site is away.',
    type: 'gauge',
    samples: devices.map(({ siteId, status, total }) => ({ labels: { site: siteId, status }, value: total })),
  };
}

function gauge(name: string, help: string, value: number, labels: Readonly<Record<string, string>> = {}): Metric {
  return { name, help, type: 'gauge', samples: [{ labels, value }] };
}
