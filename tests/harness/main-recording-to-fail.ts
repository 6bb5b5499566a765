// Records in a process of its own and reports what it stored; its parent makes its system calls fail.
import { FRAMES_FED, recordToFail } from './recording-to-fail.ts';

const [folder = ''] = process.argv.slice(2);
const { claimed, ...told } = await recordToFail(folder);
const spans = claimed.map(({ startMs, endMs }) => ({ startMs, endMs }));
process.stdout.write(`${JSON.stringify({ ...told, claimed: spans, expected: FRAMES_FED })}\n`);
