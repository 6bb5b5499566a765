// go2rtc by its public interfaces: configuration file, fragmented MP4 over HTTP. It pulls on demand and records nothing.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../tests/harness/free-port.ts';
import { signedUrl } from '../measure/cameras.ts';
import { ended } from '../measure/json-line-process.ts';
import { treeUsage } from '../measure/process-tree.ts';
import { type Contender, untilAnswers, type Work } from './contender.ts';

/** @param program path of the go2rtc binary */
export async function startGo2rtc(program: string, { cameras }: Work): Promise<Contender> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-go2rtc-'));
  const port = await freePort();
  const file = join(folder, 'go2rtc.yaml');
  const streams = cameras.map((camera, index) => `  camera${index}: ${signedUrl(camera)}`);
  const text = [
    'api:',
    `  listen: "127.0.0.1:${port}"`,
    'rtsp:',
    '  listen: ""',
    'webrtc:',
    '  listen: ""',
    'streams:',
  ];
  await writeFile(file, [...text, ...streams, ''].join('\n'));
  const child = spawn(program, ['-config', file], { cwd: folder, stdio: 'ignore' });
  await untilAnswers(() => fetch(`http://127.0.0.1:${port}/api`));
  return {
    usage: () => treeUsage(child.pid ?? 0),
    watch: (index) =>
      Promise.resolve({ kind: 'http', url: `http://127.0.0.1:${port}/api/stream.mp4?src=camera${index}` }),
    recordedBytes: () => Promise.resolve(0),
    // It connects to a camera with its first viewer.
    untilPulled: () => Promise.resolve(),
    stop: async () => {
      await ended(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
