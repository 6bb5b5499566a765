// Names whose answers change between look-up and connection, asked for real of a name server of the test's own: nobody forbidden is ever dialled.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NamesReport } from '../harness/changing-names.ts';
import { createNetworkNamespace, type NetworkNamespace } from '../harness/network-namespace.ts';

const network: NetworkNamespace | null = createNetworkNamespace();
/** As long as a look-up hangs that is never answered: three tries of five seconds and more. */
const RESOLVER = 'nameserver 127.0.0.53\noptions timeout:5 attempts:3\n';
const RUN_MS = 600_000;
/** From the look-up to the answer, with what a busy machine adds. */
const WITHIN_MS = 13_000;

let report: NamesReport;
let folder: string | undefined;
let run: ChildProcess | undefined;

beforeAll(async () => {
  if (network === null) return;
  folder = await mkdtemp(join(tmpdir(), 'vedette-names-'));
  const names = join(folder, 'resolv.conf');
  await writeFile(names, RESOLVER);
  const script = new URL('../harness/main-changing-names.ts', import.meta.url).pathname;
  const inside = ['sh', '-c', 'mount --bind "$0" /etc/resolv.conf && exec "$@"', names, process.execPath, script];
  const [command = '', ...args] = [...network.prefix, ...inside];
  run = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  run.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = (await once(run, 'close')) as [number];
  if (code !== 0) throw new Error(`the run ended with ${code}: ${output}`);
  report = JSON.parse(output) as NamesReport;
}, RUN_MS);

afterAll(async () => {
  run?.kill('SIGKILL');
  network?.remove();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

/** What came of names of this kind: each end once. */
function endsOf(protocol: string, kind: RegExp): string[] {
  const ends = (report.ends[protocol] ?? []).filter(({ name }) => kind.test(name)).map(({ end }) => end);
  expect(ends.length, `${protocol} ${String(kind)}`).toBeGreaterThan(0);
  return [...new Set(ends)].sort();
}

describe.skipIf(network === null)('names that change', () => {
  it.each([
    'webhook',
    'mqtt',
    'smtp',
    'rtsp',
    'onvif',
    'own',
  ])('[SE-67] lead %s to nobody it may not reach, at no look-up', (protocol) => {
    expect(report.dialled[protocol]?.traps).toBe(0);
  });

  it.each([
    'webhook',
    'mqtt',
    'smtp',
    'rtsp',
    'onvif',
  ])('[SE-67] lead %s to the peer that it may reach, so that a connection would be seen', (protocol) => {
    expect(report.dialled[protocol]?.peer).toBeGreaterThan(0);
  });

  it('[SE-67] are looked up once for each message, judged, and refused where they lead elsewhere', () => {
    // Which look-up a message gets is a matter of who comes first.
    const turned = ['webhook', 'mqtt'].flatMap((protocol) => endsOf(protocol, /^(?:turn|chain)/));
    expect([...new Set(turned)].sort()).toEqual(['address', 'done']);
    for (const protocol of ['webhook', 'mqtt']) {
      expect(endsOf(protocol, /^steady/)).toEqual(['done']);
      // Of several addresses any could be dialled next time.
      expect(endsOf(protocol, /^mixed/)).toEqual(['address']);
    }
  });

  it('[SE-67] leave a forbidden address of every spelling refused', () => {
    expect(endsOf('webhook', /^only/)).toEqual(['address']);
    for (const protocol of ['rtsp', 'onvif']) expect(endsOf(protocol, /^only/)).toEqual(['refusedAddress']);
  });

  it('[SE-67] open a camera at what of them is allowed, and are refused else', () => {
    const turned = ['rtsp', 'onvif'].flatMap((protocol) => endsOf(protocol, /^(?:turn|chain)/));
    expect([...new Set(turned)].sort()).toEqual(['done', 'refusedAddress', 'wrongProtocol']);
    expect(endsOf('rtsp', /^mixed/)).toEqual(['done']);
    expect(endsOf('rtsp', /^steady/)).toEqual(['done']);
  });

  it('[SE-67] keep mail and the source of events from what their operator may not name either', () => {
    for (const [protocol, kind] of [
      ['smtp', /^turn/],
      ['smtp', /^mixed/],
      ['mqttIn', /^turn/],
      ['mqttIn', /^mixed/],
    ] as const) {
      expect(endsOf(protocol, kind).filter((end) => end !== 'done')).not.toEqual([]);
    }
    expect(endsOf('smtp', /^mixed/)).not.toContain('done');
    expect(endsOf('mqttIn', /^mixed/)).not.toContain('done');
    for (const protocol of ['smtp', 'mqttIn']) expect(endsOf(protocol, /^steady/)).toEqual(['done']);
  });

  it('[SE-64] open no port of the installation at an address of its own that is public', () => {
    expect(report.dialled['own']).toEqual({ peer: 0, traps: 0 });
    expect(endsOf('own', /^steady/)).toEqual(['address', 'refusedAddress']);
    expect(endsOf('smtp', /^own/)).toEqual(['own-port']);
  });

  it('[SE-86] that nobody answers for are given up in time, and delay no message of another account', () => {
    expect(endsOf('silent', /^silent/)).toEqual(['unreachable']);
    const hung = Object.values(report.ends).flatMap((ends) => ends.filter(({ name }) => name.startsWith('silent')));
    expect(hung.filter(({ ms }) => ms > WITHIN_MS)).toEqual([]);
    expect(report.others.filter(({ end, ms }) => end !== 'done' || ms > 5000)).toEqual([]);
  });
});
