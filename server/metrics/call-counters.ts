// Counts calls by path and code, with the time they took.
import type { Metric, MetricSample } from './exposition.ts';

/** Upper bounds of the histogram, in seconds. */
const BUCKETS = [0.005, 0.02, 0.1, 0.5, 2, 10] as const;

interface CallStats {
  readonly labels: { readonly call: string; readonly code: number };
  total: number;
  sumSeconds: number;
  readonly buckets: number[];
}

export class CallCounters {
  readonly #stats = new Map<string, CallStats>();

  count(call: string, code: number, durationMs: number): void {
    const key = `${call} ${code}`;
    let stats = this.#stats.get(key);
    if (stats === undefined) {
      stats = { labels: { call, code }, total: 0, sumSeconds: 0, buckets: BUCKETS.map(() => 0) };
      this.#stats.set(key, stats);
    }
    const seconds = durationMs / 1000;
    stats.total += 1;
    stats.sumSeconds += seconds;
    for (const [index, bound] of BUCKETS.entries()) {
      if (seconds <= bound) stats.buckets[index] = (stats.buckets[index] ?? 0) + 1;
    }
  }

  metric(): Metric {
    return {
      name: 'vedette_call_duration_seconds',
      help: 'Time that calls took until their answer, by path and code of the answer.',
      type: 'histogram',
      samples: [...this.#stats.values()].flatMap(samplesOf),
    };
  }
}

function samplesOf({ labels, total, sumSeconds, buckets }: CallStats): MetricSample[] {
  const counts = [
    ...BUCKETS.map((bound, index) => [String(bound), buckets[index] ?? 0] as const),
    ['+Inf', total] as const,
  ];
  return [
    ...counts.map(([le, value]) => ({ suffix: '_bucket', labels: { ...labels, le }, value })),
    { suffix: '_sum', labels, value: sumSeconds },
    { suffix: '_count', labels, value: total },
  ];
}
