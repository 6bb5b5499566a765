// A process of its own that records a little into a folder and says what it claims to have stored; whoever starts it lets its system calls fail.
import { waitFor } from './wait-for.ts';
import { FedRecorder, PICTURE_MS } from './fed-recorder.ts';

const [folder = ''] = process.argv.slice(2);
const START_MS = Date.UTC(2026, 4, 1);
const SECONDS = 2;

const fed = await FedRecorder.open({ folder, budgetBytes: 30_000, fillerBytes: 500 });
// A folder that could not be opened is tried again, as the site does.
await waitFor('the storage', async () => {
  await fed.recordings.check();
  return fed.recordings.isWritable;
});
const { recorder, key } = fed.first;
fed.feed(START_MS, SECONDS);
// The budget has room for one of the two.
fed.feed(START_MS + 100_000, SECONDS);
fed.recordings.note(key, { kind: 'alarm', startMs: START_MS, endMs: START_MS + 1000 });
recorder.rest();
await waitFor('the disk to have it', () => recorder.queuedBytes === 0);
await fed.recordings.check();
await fed.recordings.check();
await recorder.close();
const claimed = fed.recordings.store.files(key, 0, 1e15).map(({ startMs, endMs }) => ({ startMs, endMs }));
const { picturesStored } = recorder.report().counters;
await fed.recordings.close();
const expected = (2 * SECONDS * 1000) / PICTURE_MS;
process.stdout.write(`${JSON.stringify({ claimed, picturesStored, expected, faults: fed.faults.length })}\n`);
