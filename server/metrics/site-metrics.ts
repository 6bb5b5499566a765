// Metrics of sites: storage, events, relay and streams. A stream is named by its device, channel and quality, never by an address.
import type { SiteHealth } from '@vedette/contract/site/site.ts';
import type { Metric, MetricSample } from './exposition.ts';

export interface SiteState {
  readonly siteId: string;
  readonly status: 'online' | 'offline' | 'waiting';
  /** Null while it is offline, or did not answer for half a minute. */
  readonly health: SiteHealth | null;
}

interface SiteWithHealth {
  readonly siteId: string;
  readonly health: SiteHealth;
}

type Stream = SiteHealth['streams'][number];

export function siteMetrics(sites: readonly SiteState[]): Metric[] {
  const known = sites.flatMap(({ siteId, health }) => (health === null ? [] : [{ siteId, health }]));
  const online = sites.map(({ siteId, status }) => ({ labels: { site: siteId }, value: status === 'online' ? 1 : 0 }));
  return [
    gauge('vedette_site_online', 'Whether a site is connected to the server.', online),
    ...storageMetrics(known),
    gauge(
      'vedette_site_events',
      'Events of a site: waiting for the server, dropped for want of room, held back by a flood of one device.',
      known.flatMap(({ siteId, health }) => named(siteId, health.events)),
    ),
    gauge(
      'vedette_restream',
      'RTSP relay of a site: its sessions and what it refused.',
      known.flatMap(({ siteId, health }) => named(siteId, health.restream)),
    ),
    ...streamMetrics(known),
  ];
}

function storageMetrics(sites: readonly SiteWithHealth[]): Metric[] {
  const of = (value: (storage: SiteHealth['storage']) => number | null): MetricSample[] =>
    sites.map(({ siteId, health }) => ({ labels: { site: siteId }, value: value(health.storage) }));
  return [
    gauge(
      'vedette_storage_used_bytes',
      'Recordings of a site.',
      of(({ usedBytes }) => usedBytes),
    ),
    gauge(
      'vedette_storage_free_bytes',
      'Free space of the disk of the recordings.',
      of(({ freeBytes }) => freeBytes),
    ),
    gauge(
      'vedette_storage_budget_bytes',
      'Space that recordings may take.',
      of(({ budgetBytes }) => budgetBytes),
    ),
    gauge(
      'vedette_storage_ok',
      'Whether recordings can be written: 0 when the storage is full, failing or missing.',
      of(({ state }) => (state === 'normal' ? 1 : 0)),
    ),
  ];
}

function streamMetrics(sites: readonly SiteWithHealth[]): Metric[] {
  const of = (sample: (stream: Stream, labels: Readonly<Record<string, string | number>>) => MetricSample[]) =>
    sites.flatMap(({ siteId, health }) => health.streams.flatMap((stream) => sample(stream, labelsOf(siteId, stream))));
  return [
    gauge(
      'vedette_stream_state',
      'State of a stream that a site receives; 1 for the state it is in.',
      of(({ state }, labels) => [{ labels: { ...labels, state }, value: 1 }]),
    ),
    gauge(
      'vedette_stream_last_frame_seconds',
      'Unix time of the newest frame of a stream.',
      of(({ lastFrameAt }, labels) => [{ labels, value: lastFrameAt === null ? null : lastFrameAt / 1000 }]),
    ),
    gauge(
      'vedette_stream_figure',
      'Figures of a stream since it was opened, by name: what came, what was lost, what was dropped.',
      of(({ counters }, labels) =>
        Object.entries(counters).map(([figure, value]) => ({ labels: { ...labels, figure }, value })),
      ),
    ),
  ];
}

function gauge(name: string, help: string, samples: readonly MetricSample[]): Metric {
  return { name, help, type: 'gauge', samples };
}

function named(site: string, values: Readonly<Record<string, number>> | null | undefined): MetricSample[] {
  return Object.entries(values ?? {}).map(([figure, value]) => ({ labels: { site, figure }, value }));
}

function labelsOf(site: string, { deviceSerial, channelNo, quality }: Stream) {
  return { site, device: deviceSerial, channel: channelNo, quality };
}
