// Metrics of the parts of the installation, as System > Health shows them: how each does, why, and its figures.
import type { HealthEntry, HealthFigure, HealthState } from '@vedette/contract/calls/system-health.ts';
import type { Metric } from './exposition.ts';

interface FigureMetric {
  readonly name: string;
  readonly help: string;
  /** From the unit of the figure to seconds or bytes. */
  readonly factor?: number;
}

const MS = 0.001;

/** Null: told by a metric of its own. */
const FIGURES: Readonly<Record<HealthFigure, FigureMetric | null>> = {
  cpuShare: { name: 'vedette_cpu_cores', help: 'Processor cores that a part keeps busy; of the machine, its share.' },
  residentBytes: { name: 'vedette_resident_bytes', help: 'Memory of a process.' },
  loopDelayMs: {
    name: 'vedette_event_loop_delay_seconds',
    help: 'Longest delay of the event loop of a process within ten seconds.',
    factor: MS,
  },
  upSince: { name: 'vedette_start_time_seconds', help: 'Unix time at which a process started.', factor: MS },
  handles: { name: 'vedette_open_handles', help: 'Open files and sockets of a process.' },
  pages: null,
  latencyMs: {
    name: 'vedette_database_latency_seconds',
    help: 'Time that the database took to answer a question of the server.',
    factor: MS,
  },
  connections: { name: 'vedette_database_connections', help: 'Connections that the database serves.' },
  databaseBytes: { name: 'vedette_database_size_bytes', help: 'Size of the database.' },
  eventsWaiting: null,
  skewMs: {
    name: 'vedette_clock_skew_seconds',
    help: 'Clock of a site minus the clock of the server.',
    factor: MS,
  },
  usedBytes: null,
  freeBytes: { name: 'vedette_disk_free_bytes', help: 'Free space of the disk that a part writes to.' },
  memoryFreeBytes: { name: 'vedette_machine_memory_free_bytes', help: 'Memory that the machine can still give.' },
  memoryBytes: { name: 'vedette_machine_memory_bytes', help: 'Memory of the machine.' },
  devices: { name: 'vedette_devices_with_wrong_clock', help: 'Devices whose clock is wrong.' },
  validTo: {
    name: 'vedette_certificate_expiry_timestamp_seconds',
    help: 'Unix time at which the certificate of the server ends.',
    factor: MS,
  },
  lastBackup: {
    name: 'vedette_backup_last_success_timestamp_seconds',
    help: 'Unix time of the last good backup.',
    factor: MS,
  },
  backupBytes: { name: 'vedette_backup_size_bytes', help: 'Size of the last good backup.' },
  lastBackupCheck: {
    name: 'vedette_backup_last_check_timestamp_seconds',
    help: 'Unix time at which a backup was last restored on trial.',
    factor: MS,
  },
  delivered: { name: 'vedette_messages_delivered', help: 'Messages of alarm rules delivered within the last hour.' },
  failed: { name: 'vedette_messages_failed', help: 'Messages of alarm rules that failed within the last hour.' },
};

const LEVELS: Readonly<Record<Exclude<HealthState, 'off'>, number>> = { good: 0, warning: 1, bad: 2 };

export function healthMetrics(entries: readonly HealthEntry[]): Metric[] {
  const figures = Object.entries(FIGURES).flatMap(([figure, metric]) =>
    metric === null ? [] : [figureMetric(entries, figure as HealthFigure, metric)],
  );
  return [
    {
      name: 'vedette_health_level',
      help: 'How a part of the installation does: 0 good, 1 warning, 2 bad. Parts that are not in use have none.',
      type: 'gauge',
      samples: entries.map((entry) => ({
        labels: labelsOf(entry),
        value: entry.state === 'off' ? null : LEVELS[entry.state],
      })),
    },
    {
      name: 'vedette_health_reason',
      help: 'Why a part is not good; 1 for the reason that holds.',
      type: 'gauge',
      samples: entries.flatMap((entry) =>
        entry.reason === null ? [] : [{ labels: { ...labelsOf(entry), reason: entry.reason }, value: 1 }],
      ),
    },
    ...figures,
  ];
}

function figureMetric(entries: readonly HealthEntry[], wanted: HealthFigure, metric: FigureMetric): Metric {
  const { name, help, factor = 1 } = metric;
  const samples = entries.flatMap((entry) =>
    entry.figureList
      .filter(({ figure }) => figure === wanted)
      .map(({ value }) => ({ labels: labelsOf(entry), value: value === null ? null : value * factor })),
  );
  return { name, help, type: 'gauge', samples };
}

function labelsOf({ part, siteId }: HealthEntry): Record<string, string> {
  return siteId === '' ? { part } : { part, site: siteId };
}
