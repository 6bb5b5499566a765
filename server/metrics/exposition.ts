// Writes metrics in the text format that Prometheus reads (exposition format 0.0.4).

export interface MetricSample {
  readonly labels?: Readonly<Record<string, string | number>>;
  /** Null: not known, left out. */
  readonly value: number | null;
  /** Behind the name of the metric: `_bucket`, `_sum` and `_count` of a histogram. */
  readonly suffix?: string;
}

export interface Metric {
  /** With its unit at the end, in seconds or bytes. */
  readonly name: string;
  /** One sentence for whoever writes a query. */
  readonly help: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly samples: readonly MetricSample[];
}

/** A metric without any known value is left out. */
export function writeMetrics(metrics: readonly Metric[]): string {
  return metrics.map((metric) => writeMetric(metric)).join('');
}

function writeMetric({ name, help, type, samples }: Metric): string {
  const lines = samples
    .filter(({ value }) => value !== null)
    .map(({ labels = {}, value, suffix = '' }) => `${name}${suffix}${writeLabels(labels)} ${value}\n`);
  return lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function writeLabels(labels: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(String(value))}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
