// No outbound traffic that the operator did not configure: a demo day in a network namespace, with every packet and look-up captured.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DayStep } from '../harness/day-step.ts';
import { createNetworkNamespace, type NetworkNamespace } from '../harness/network-namespace.ts';
import { waitFor } from '../harness/wait-for.ts';

const hasTool = spawnSync('sh', ['-c', 'command -v tcpdump']).status === 0;
const network: NetworkNamespace | null = hasTool ? createNetworkNamespace() : null;
/** What finds its neighbours, and what joins a group: the kernel's own, which names no host beyond the cable. */
const NOT_THE_KERNELS = 'not arp and not icmp6 and not igmp and not dst host ff02::16';
const DAY_MS = 240_000;
const MORNING = ['start', 'set-up', 'demo', 'live', 'playback', 'alarms'];
const DAY = [...MORNING, 'far-site', 'direct-answer', 'direct', 'idle', 'discovery', 'planted'];

interface Packet {
  readonly at: number;
  readonly line: string;
}

const packets: Packet[] = [];
let steps: readonly DayStep[] = [];
let watch: ChildProcess | undefined;
let folder: string | undefined;

beforeAll(async () => {
  if (network === null) return;
  folder = await mkdtemp(join(tmpdir(), 'vedette-names-'));
  watch = await startWatch(network.cable);
  steps = await liveTheDay(network, folder);
  await waitFor('the planted look-up', () => packets.some(({ line }) => line.includes('.53:')));
}, DAY_MS);

afterAll(async () => {
  watch?.kill('SIGKILL');
  network?.remove();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

/** Of what comes out of the other network: `<seconds> IP <from> > <to>: …`. */
async function startWatch(cable: string): Promise<ChildProcess> {
  const args = ['-i', cable, '-Q', 'in', '-n', '-l', '-tt', '--immediate-mode', NOT_THE_KERNELS];
  const child = spawn('tcpdump', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  createInterface({ input: child.stdout }).on('line', (line) =>
    packets.push({ at: Number.parseFloat(line) * 1000, line }),
  );
  const ready = createInterface({ input: child.stderr });
  for await (const line of ready) if (line.includes('listening on')) break;
  return child;
}

/** With a name server at the other end of the cable, so that a look-up has to leave. */
async function liveTheDay({ prefix, here }: NetworkNamespace, inFolder: string): Promise<DayStep[]> {
  const names = join(inFolder, 'resolv.conf');
  await writeFile(names, `nameserver ${here}\noptions timeout:1 attempts:1\n`);
  const script = new URL('../harness/main-demo-day.ts', import.meta.url).pathname;
  const inside = ['sh', '-c', 'mount --bind "$0" /etc/resolv.conf && exec "$@"', names, process.execPath, script];
  const [command = '', ...args] = [...prefix, ...inside];
  const day = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const steps: DayStep[] = [];
  createInterface({ input: day.stdout }).on('line', (line) => steps.push(JSON.parse(line) as DayStep));
  const [code] = (await once(day, 'close')) as [number];
  if (code !== 0) throw new Error(`the day ended with ${code} after ${steps.map(({ step }) => step).join(', ')}`);
  return steps;
}

function endOf(step: string): number {
  return steps.find((one) => one.step === step)?.endedAt ?? Number.NaN;
}

function between(from: number, to: number): string[] {
  return packets.filter(({ at }) => at >= from && at < to).map(({ line }) => line);
}

describe.skipIf(network === null)('a day of the demo', () => {
  it('sends no packet and resolves no name: from the start over live, playback, export and WebRTC to idle hours', () => {
    expect(steps.map(({ step }) => step)).toEqual(DAY);
    expect(between(0, endOf('idle'))).toEqual([]);
  });

  it('searches the network only on request, by WS-Discovery alone', () => {
    const asked = between(endOf('idle'), endOf('discovery'));
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((line) => !/ > 239\.255\.255\.250\.3702: /.test(line))).toEqual([]);
  });

  it('is observed by a capture that sees name look-ups', () => {
    const seen = between(endOf('discovery'), Number.POSITIVE_INFINITY);
    expect(seen.filter((line) => line.includes('planted.example'))).not.toEqual([]);
  });

  it('answers a WebRTC offer at once, without an Internet', () => {
    // Asking a STUN server that cannot be reached takes five seconds; two cores under load took 2.4 once.
    expect(steps.find(({ step }) => step === 'direct-answer')?.ms).toBeLessThan(4000);
  });
});
