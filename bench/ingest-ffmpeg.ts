// Baseline of the ingest bench: one `ffmpeg -c copy` per camera writing fragmented MP4 to a pipe.
import { type ChildProcess, spawn } from 'node:child_process';
import { inputLines } from './measure/json-line-process.ts';

const urls = await inputLines();
let bytes = 0;
const children = urls.map((url) => pull(url));
await Promise.all(children.map((child) => new Promise((resolve) => child.stdout?.once('data', resolve))));

process.on('SIGUSR2', () => process.stdout.write(`${JSON.stringify({ bytes })}\n`));
process.once('SIGTERM', () => {
  for (const child of children) child.kill('SIGKILL');
  process.exit(0);
});
process.stdout.write('{"event":"ready"}\n');

function pull(url: string): ChildProcess {
  const child = spawn(
    'ffmpeg',
    [
      '-v',
      'error',
      '-rtsp_transport',
      'tcp',
      '-i',
      url,
      '-c',
      'copy',
      '-f',
      'mp4',
      '-movflags',
      'empty_moov+default_base_moof+frag_keyframe',
      '-',
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  child.stdout?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  return child;
}
