// Writes stream, storage, event and relay metrics of a site in the Prometheus text format.
import type { SiteHealth } from '@vedette/contract/site/site.ts';
import { CallError } from '../core/call-error.ts';
import type { SitePort } from '../site-link/site-port.ts';

/** Whole lines; empty while the site is away or does not answer in time. */
export async function askSiteMetrics(site: Pick<SitePort, 'isOnline' | 'call'>): Promise<string> {
  if (!site.isOnline()) return '';
  try {
    return `${siteMetrics(await site.call('health', {}))}\n`;
  } catch (error) {
    if (error instanceof CallError) return '';
    throw error;
  }
}

/** Lines without the last line break; a stream is named by its device, channel and quality, never by an address. */
export function siteMetrics(health: SiteHealth): string {
  const lines: string[] = [];
  const gauge = (name: string, values: readonly (readonly [labels: string, value: number | null])[]): void => {
    const known = values.filter(([, value]) => value !== null);
    if (known.length === 0) return;
    lines.push(`# TYPE ${name} gauge`, ...known.map(([labels, value]) => `${name}${labels} ${value}`));
  };
  const { storage, streams, events, restream } = health;
  gauge('vedette_storage_used_bytes', [['', storage.usedBytes]]);
  gauge('vedette_storage_free_bytes', [['', storage.freeBytes]]);
  gauge('vedette_storage_budget_bytes', [['', storage.budgetBytes]]);
  gauge('vedette_storage_ok', [['', storage.state === 'normal' ? 1 : 0]]);
  gauge('vedette_site_events', named(events));
  gauge('vedette_restream', named(restream));
  gauge(
    'vedette_stream_state',
    streams.map((stream) => [labelsOf(stream, { state: stream.state }), 1] as const),
  );
  gauge(
    'vedette_stream_last_frame_seconds',
    streams.map((stream) => [labelsOf(stream, {}), stream.lastFrameAt === null ? null : stream.lastFrameAt / 1000]),
  );
  gauge(
    'vedette_stream_counter',
    streams.flatMap((stream) =>
      Object.entries(stream.counters).map(([counter, value]) => [labelsOf(stream, { counter }), value] as const),
    ),
  );
  return lines.join('\n');
}

function named(values: Readonly<Record<string, number>> | null | undefined): [string, number][] {
  return Object.entries(values ?? {}).map(([name, value]) => [`{counter="${escapeLabel(name)}"}`, value]);
}

function labelsOf(stream: SiteHealth['streams'][number], more: Readonly<Record<string, string>>): string {
  const { deviceSerial, channelNo, quality } = stream;
  const all = { device: deviceSerial, channel: channelNo, quality, ...more };
  return `{${Object.entries(all)
    .map(([name, value]) => `${name}="${escapeLabel(String(value))}"`)
    .join(',')}}`;
}

/** Exposition format 0.0.4: backslash, quote and line break are written with a backslash. */
function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
