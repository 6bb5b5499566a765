// Files that others write while the product runs: a certificate that is half written, missing or another's stops nothing.
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayProcess, makeCertificate, startGateway } from '../harness/gateway-process.ts';
import { waitFor } from '../harness/wait-for.ts';

let folder: string;
let gateway: GatewayProcess;
let authority: string;
/** One connection that is open all the time. */
let lasting: Agent;
let good: ReadonlyMap<string, Buffer>;

const FILES = ['server.pem', 'server.key', 'ca.pem'] as const;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'broken-settings-'));
  authority = await makeCertificate(folder, ['localhost']);
  good = new Map(await Promise.all(FILES.map(async (name) => [name, await readFile(join(folder, name))] as const)));
  gateway = await startGateway(folder);
  lasting = new Agent({ keepAlive: true, maxSockets: 1 });
});
afterAll(async () => {
  lasting?.destroy();
  await gateway?.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  for (const [name, bytes] of good) await writeFile(join(folder, name), bytes);
});

/** Serial of the certificate that was shown, and the socket that it was shown on. */
async function ask(
  agent = new Agent({ keepAlive: false }),
): Promise<{ readonly status: number; readonly serial: string; readonly localPort: number }> {
  const options = { ca: authority, host: 'localhost', port: gateway.port, path: '/trust', agent };
  const request = get(options);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const socket = response.socket as TLSSocket;
  const answer = {
    status: response.statusCode ?? 0,
    serial: socket.getPeerCertificate().serialNumber,
    localPort: socket.localPort ?? 0,
  };
  response.resume();
  await once(response, 'end');
  return answer;
}

const told = () => gateway.log.filter((line) => line.includes('the former one stays')).length;

describe('[FT-51] the files of the certificate', () => {
  it.each([
    [
      'are half written',
      (name: string, bytes: Buffer) => writeFile(join(folder, name), bytes.subarray(0, bytes.length / 2)),
    ],
    ['are empty', (name: string) => writeFile(join(folder, name), '')],
    ['are gone', (name: string) => rm(join(folder, name))],
    ['belong to different keys', (name: string) => (name === 'server.key' ? otherKey() : Promise.resolve())],
  ])('%s: the former certificate stays, and so does what is open', async (_, breakFile) => {
    const [before, open, faults] = [await ask(), await ask(lasting), told()];
    for (const [name, bytes] of good) await breakFile(name, bytes);
    gateway.reloadCertificate();
    await waitFor('the fault to be told', () => Promise.resolve(told() > faults), 5000);
    expect(await ask()).toMatchObject({ status: 200, serial: before.serial });
    expect(await ask(lasting), 'the same connection').toEqual(open);
    expect(gateway.process.exitCode, 'it still runs').toBeNull();
  });

  it('are whole again: new connections get the new certificate, and open ones go on', async () => {
    const [before, open] = [await ask(), await ask(lasting)];
    const other = await mkdtemp(join(tmpdir(), 'other-certificate-'));
    for (const name of ['ca.pem', 'ca.key']) await copyFile(join(folder, name), join(other, name));
    await makeCertificate(other, ['localhost', 'other.test']);
    for (const name of ['server.pem', 'server.key'] as const) await copyFile(join(other, name), join(folder, name));
    await rm(other, { recursive: true });
    gateway.reloadCertificate();
    await waitFor('the new certificate', async () => (await ask()).serial !== before.serial, 5000);
    expect(await ask(lasting)).toEqual(open);
  });
});

async function otherKey(): Promise<void> {
  const other = await mkdtemp(join(tmpdir(), 'other-key-'));
  await makeCertificate(other, ['localhost']);
  await copyFile(join(other, 'server.key'), join(folder, 'server.key'));
  await rm(other, { recursive: true });
}
