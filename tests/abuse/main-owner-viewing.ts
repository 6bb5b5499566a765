// The owner watching one live picture in a process of its own: frames that came, frames that are missing, and the longest pause between two.
import { LiveViewer } from '../harness/live-viewer.ts';
import type { ViewingOrder, ViewingReport } from './role-messages.ts';

/** Within moof, behind the head of mfhd (ISO 14496-12 8.8.5). */
const SEQUENCE_AT = 20;

let viewer: LiveViewer | null = null;
/** Fragments of reports before; their last one is where the next begins. */
let reported = 0;
let toldAtMs = Date.now();

process.on('message', ({ watch }: ViewingOrder) => {
  void (async () => {
    if (watch) viewer = await LiveViewer.open(watch.url, watch.ticket);
    process.send?.(report());
  })();
});

function report(): ViewingReport {
  const now = Date.now();
  const fragments = (viewer?.fragments ?? []).slice(Math.max(0, reported - 1));
  const frames = fragments.length - (reported > 0 ? 1 : 0);
  const numbers = fragments.map(({ payload }) => payload.readUInt32BE(SEQUENCE_AT));
  const lost = numbers.slice(1).reduce((sum, number, at) => sum + number - (numbers[at] ?? 0) - 1, 0);
  const arrivals = [toldAtMs, ...fragments.slice(reported > 0 ? 1 : 0).map(({ arrivedAt }) => arrivedAt), now];
  const pauses = arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? at));
  reported += frames;
  toldAtMs = now;
  return { frames, lost, longestPauseMs: Math.max(...pauses), isEnded: viewer?.end !== undefined };
}
