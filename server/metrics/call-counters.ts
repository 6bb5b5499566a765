// Counts calls by path and code, and writes all counters in the Prometheus text format.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const BUCKETS_MS = [5, 20, 100, 500, 2000, 10_000] as const;

interface CallStats {
  total: number;
  sumMs: number;
  readonly buckets: number[];
}

export class CallCounters {
  readonly #stats = new Map<string, CallStats>();
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });

  constructor() {
    this.#delay.enable();
  }

  count(call: string, code: number, durationMs: number): void {
    const key = `call="${call}",code="${code}"`;
    let line = this.#stats.get(key);
    if (line === undefined) {
      line = { total: 0, sumMs: 0, buckets: BUCKETS_MS.map(() => 0) };
      this.#stats.set(key, line);
    }
    line.total += 1;
    line.sumMs += durationMs;
    for (const [index, bound] of BUCKETS_MS.entries()) {
      if (durationMs <= bound) line.buckets[index] = (line.buckets[index] ?? 0) + 1;
    }
  }

  /** `gauges`: further figures of the moment by name. */
  toText(gauges: Readonly<Record<string, number>>): string {
    const memory = process.memoryUsage();
    const all = {
      ...gauges,
      vedette_server_resident_bytes: memory.rss,
      vedette_server_event_loop_delay_p99_seconds: this.#delay.percentile(99) / 1e9,
    };
    const head = Object.entries(all).map(([name, value]) => `# TYPE ${name} gauge\n${name} ${value}`);
    return `${[...head, '# TYPE vedette_call_duration_ms histogram', ...this.#histogram()].join('\n')}\n`;
  }

  #histogram(): string[] {
    return [...this.#stats].flatMap(([labels, line]) => [
      ...BUCKETS_MS.map(
        (bound, index) => `vedette_call_duration_ms_bucket{${labels},le="${bound}"} ${line.buckets[index]}`,
      ),
      `vedette_call_duration_ms_bucket{${labels},le="+Inf"} ${line.total}`,
      `vedette_call_duration_ms_sum{${labels}} ${line.sumMs}`,
      `vedette_call_duration_ms_count{${labels}} ${line.total}`,
    ]);
  }
}
