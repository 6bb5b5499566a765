// npm run soak -- --hours 72: daily use of the whole product for days, and whether memory, handles, disk, rows and delays stay flat.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { HOUR_MS, MINUTE_MS } from '@vedette/foundation/units/durations.ts';
import { soakOptions } from './options.ts';
import { runSoak } from './soak.ts';

const { values } = parseArgs({
  options: {
    hours: { type: 'string' },
    minutes: { type: 'string' },
    cameras: { type: 'string', default: '100' },
    viewers: { type: 'string', default: '20' },
    'quota-mb': { type: 'string' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});
const minutes = positive('minutes') ?? ((positive('hours') ?? 72) * HOUR_MS) / MINUTE_MS;
const quotaMb = positive('quota-mb');
const started = new Date().toISOString().replaceAll(/[-:]|\..*/g, '');
const options = soakOptions({
  minutes,
  cameras: positive('cameras') ?? 0,
  viewers: positive('viewers') ?? 0,
  ...(quotaMb !== null && { quotaMb }),
  seed: positive('seed') ?? 0,
  folder: values.out ?? join(tmpdir(), `vedette-soak-${started}`),
});

const ended = new AbortController();
const INTERRUPTED = 130;
/** npm passes on what the terminal sent already. */
const SAME_MS = 1000;
let endedMs = Number.POSITIVE_INFINITY;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
const { report, table } = await runSoak(options, ended.signal, (line) => {
  process.stderr.write(`${new Date().toISOString()} ${line}\n`);
});
process.stdout.write(`${table}\n${JSON.stringify({ soak: report })}\n`);
process.exitCode = report.verdict === 'held' ? 0 : 1;

/** Ctrl+C ends it with the report of what there is; the second one at once. */
function end(): void {
  if (performance.now() - endedMs > SAME_MS) process.exit(INTERRUPTED);
  endedMs = Math.min(endedMs, performance.now());
  ended.abort();
}

function positive(name: keyof typeof values): number | null {
  const text = values[name];
  if (text === undefined) return null;
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) {
    process.stderr.write(`--${name} takes a number above 0, not ${text}\n`);
    process.exit(2);
  }
  return value;
}
