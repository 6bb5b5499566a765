// Event journal: resumes without a gap, or reports lost events.
import { expect, test } from 'vitest';
import { EventJournal } from './event-journal.ts';

const everyone = { kind: 'accounts', accountIds: new Set<string>() } as const;

test('[FT-37] resumes from any sequence number it still has, and reports others as lost', () => {
  const journal = new EventJournal({ startedAt: 1000 });
  const before = journal.newest;
  expect(journal.after(before)).toEqual([]);
  const seqs = Array.from({ length: 3 }, () => journal.append({ kind: 'resourcesChanged' }, everyone).seq);
  expect(journal.after(before)?.map((entry) => entry.seq)).toEqual(seqs);
  expect(journal.after(seqs[1] ?? 0)?.map((entry) => entry.seq)).toEqual(seqs.slice(2));
  expect(journal.after(journal.newest + 1)).toBeNull();
  expect(journal.after(before - 1)).toBeNull();
});

test('[FT-37] never takes a sequence number of an earlier run for one of this run', () => {
  const earlier = new EventJournal({ startedAt: 1000 });
  const seq = earlier.append({ kind: 'rightsChanged' }, everyone).seq;
  expect(new EventJournal({ startedAt: 2000 }).after(seq)).toBeNull();
});

test('reports events that are too old as lost', () => {
  const journal = new EventJournal({ startedAt: 1 });
  const first = journal.append({ kind: 'rightsChanged' }, everyone).seq;
  for (let count = 0; count < 5001; count += 1) journal.append({ kind: 'rightsChanged' }, everyone);
  expect(journal.after(first)).toBeNull();
  expect(journal.after(first + 1)).toHaveLength(5000);
});
