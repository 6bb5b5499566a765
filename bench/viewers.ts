// Viewers of the engine bench in a process of their own: opens every stream given on standard input and counts bytes.
import { once } from 'node:events';
import { get } from 'node:http';
import WebSocket from 'ws';
import type { Watch } from './contenders/contender.ts';
import { inputLines } from './measure/json-line-process.ts';

const watches = (await inputLines()).map((line) => JSON.parse(line) as Watch);
const TOGETHER = 50;
let bytes = 0;
let ended = 0;
// One address may have so many sockets whose tickets are still checked (128).
for (let at = 0; at < watches.length; at += TOGETHER) await Promise.all(watches.slice(at, at + TOGETHER).map(open));

process.on('SIGUSR2', () => process.stdout.write(`${JSON.stringify({ bytes, ended })}\n`));
process.once('SIGTERM', () => process.exit(0));
process.stdout.write('{"event":"ready"}\n');

function open(watch: Watch): Promise<void> {
  return watch.kind === 'live' ? watchLive(watch) : watchHttp(watch.url);
}

/** Resolves with the first bytes. */
async function watchLive({ base, ticket }: Extract<Watch, { kind: 'live' }>): Promise<void> {
  const socket = new WebSocket(`${base}/media/live`, { perMessageDeflate: false, rejectUnauthorized: false });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'subscribe', id: 1, ticket, audio: false }));
  const first = new Promise<void>((resolve, reject) => {
    socket.on('close', (code) => reject(new Error(`closed with ${code}`)));
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary) return;
      bytes += data.length;
      resolve();
    });
  });
  socket.on('close', () => {
    ended += 1;
  });
  await first;
}

async function watchHttp(url: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const request = get(url, { agent: false }, (answer) => {
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        resolve();
      });
      answer.on('close', () => {
        ended += 1;
      });
    });
    request.once('error', reject);
  });
}
