// Spans that are kept joined equal those joined from scratch, whatever comes and goes in whatever order.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type RecordedFile, RecordedTrack } from '../recorded-track.ts';
import { SPAN_GAP_MS } from './joined-spans.ts';

const file = (startMs: number, length: number) => ({ startMs, endMs: startMs + length, mediaBytes: 1, indexBytes: 1 });

function naive(files: readonly { startMs: number; endMs: number }[], from: number, to: number): [number, number][] {
  const joined: [number, number][] = [];
  for (const { startMs, endMs } of [...files].sort((a, b) => a.startMs - b.startMs)) {
    const last = joined.at(-1);
    if (last && startMs - last[1] < SPAN_GAP_MS) last[1] = Math.max(last[1], endMs);
    else joined.push([startMs, endMs]);
  }
  return joined
    .filter(([start, end]) => end > from && start < to)
    .map(([start, end]): [number, number] => [Math.max(start, from), Math.min(end, to)])
    .filter(([start, end]) => end > start);
}

type Step =
  | { readonly kind: 'append'; readonly gap: number; readonly length: number }
  | { readonly kind: 'fill'; readonly at: number; readonly length: number }
  | { readonly kind: 'grow'; readonly which: number; readonly by: number }
  | { readonly kind: 'removeOldest' }
  | { readonly kind: 'remove'; readonly which: number };

function apply(track: RecordedTrack, step: Step): void {
  const { files } = track;
  const chosen = 'which' in step ? files[step.which % Math.max(1, files.length)] : files[0];
  switch (step.kind) {
    case 'append':
      track.insert(file(startAfter(files.at(-1), step.gap), step.length), true);
      break;
    case 'fill':
      if (!files.some(({ startMs }) => startMs === step.at)) track.insert(file(step.at, step.length), false);
      break;
    case 'grow':
      if (chosen) track.update({ ...chosen, endMs: chosen.endMs + step.by }, true);
      break;
    case 'removeOldest':
    case 'remove':
      if (chosen) track.take(chosen.startMs);
  }
}

function startAfter(last: RecordedFile | undefined, gap: number): number {
  return last === undefined ? Math.max(1, gap) : Math.max(last.startMs + 1, last.endMs + gap);
}

it('equal a naive join after any mix of new, growing, back-filled and removed files', () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('append' as const),
      gap: fc.integer({ min: -3000, max: 5000 }),
      length: fc.nat(9000),
    }),
    fc.record({ kind: fc.constant('fill' as const), at: fc.nat(60_000), length: fc.nat(9000) }),
    fc.record({ kind: fc.constant('grow' as const), which: fc.nat(20), by: fc.nat(4000) }),
    fc.record({ kind: fc.constant('removeOldest' as const) }),
    fc.record({ kind: fc.constant('remove' as const), which: fc.nat(20) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.nat(60_000), fc.nat(60_000), (steps, from, length) => {
      const track = new RecordedTrack({ channelId: 'a', quality: 0 });
      for (const one of steps) {
        apply(track, one);
        track.spans(from, from + length);
      }
      const found = track.spans(from, from + length).map(({ startTime, endTime }) => [startTime, endTime]);
      expect(found).toEqual(naive(track.files, from, from + length));
    }),
    { numRuns: 500 },
  );
});
