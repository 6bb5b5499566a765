// A third-party ONVIF client (Debian's onvif-tools) discovers a virtual camera, signs in, reads, configures and restarts it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { verifyMedia, run } from '../harness/ffprobe.ts';
import { createNetworkNamespace, type NetworkNamespace } from '../harness/network-namespace.ts';
import { startVirtualSite, type VirtualDevice, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

const SERIAL = 'VDCAM0001';
const hasTools = spawnSync('sh', ['-c', 'command -v onvif-util']).status === 0;
const network: NetworkNamespace | null = hasTools ? createNetworkNamespace() : null;

let site: VirtualSite;
let camera: VirtualDevice;
let children: ChildProcess[] = [];

beforeAll(async () => {
  if (network === null) return;
  site = await startVirtualSite(['--cameras', '1', '--host', network.here, '--discovery', '239.255.255.250:3702']);
  [camera] = site.devices as [VirtualDevice];
  // It keeps its nonce for the whole session, and sends two messages within one millisecond.
  await control('auth', { replays: true });
});

afterAll(async () => {
  await site?.stop();
  network?.remove();
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
});

async function control(command: string, body: object): Promise<void> {
  const answer = await fetch(`${site.controlUrl}/devices/${SERIAL}/${command}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** What it prints until it ends, given these lines to read; at the end of what it reads it would begin again for ever. */
async function onvifUtil(args: readonly string[], lines: readonly string[] = []): Promise<string> {
  const [command = '', ...prefix] = [...(network?.prefix ?? []), 'onvif-util', ...args];
  const child = spawn(command, prefix, { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  for (const output of [child.stdout, child.stderr])
    output.on('data', (bytes: Buffer) => {
      said += bytes.toString();
    });
  children.push(child);
  child.stdin.write(lines.map((line) => `${line}\n`).join(''));
  await once(child, 'close');
  return said;
}

/**
 * It waits half a second for answers to its Probe, which on a busy machine can be too short, and signs wrongly for a whole
 * session where its nonce has a zero byte.
 */
async function session(
  lines: readonly string[],
  isGood = (said: string) => said.includes('connected'),
): Promise<string> {
  const { here } = network ?? { here: '' };
  return await waitFor(
    'a session of it',
    async () => {
      const said = await onvifUtil(['-u', camera.user, '-p', camera.password, here], [...lines, 'quit']);
      return isGood(said) ? said : undefined;
    },
    20_000,
  );
}

describe.skipIf(network === null)('a third-party ONVIF client', () => {
  it('[DM-01] finds the camera by its Probe, with its name', async () => {
    const line = `${network?.here} ${SERIAL.toLowerCase()}(Camera 0001 VD-C2)`;
    await waitFor('the camera in its list', async () => (await onvifUtil(['-a'])).split('\n').includes(line));
  });

  it('signs in, and reads time, profiles, streams, limits and picture', async () => {
    const said = await session([
      'get time',
      'get profile 1',
      'get video options',
      'get imaging',
      'get imaging options',
      'get rtsp pass',
    ]);
    expect(said).not.toMatch(/ERROR|SOAP|Fault/u);
    expect(said).toContain('successfully connected to host');
    expect(said).toContain(`serial: ${SERIAL}`);
    expect(said).toMatch(/Time Offset: -?\d seconds/u);
    expect(said).toMatch(/Profile set to profile_1_second\s+Width: +640\s+Height: +360\s+Frame Rate: 15/u);
    expect(said).toMatch(/Available Resolutions\s+1280 x 720\s+640 x 360\s+320 x 180/u);
    expect(said).toMatch(/Brightness: 50\s+Contrast: +50/u);
    expect(said).toMatch(/Min Brightness: 0\s+Max Brightness: 100/u);
    const [stream] = /rtsp:\/\/\S+/u.exec(said) ?? [];
    const input = ['-v', 'error', '-rtsp_transport', 'tcp', '-i', stream ?? ''];
    const { bytes } = await run('ffmpeg', [...input, '-c', 'copy', '-frames:v', '20', '-f', 'matroska', '-']);
    expect(await verifyMedia('-', bytes)).toMatchObject({ codecs: ['h264'], errors: '' });
  });

  it('sets bit rate, resolution and brightness, and reads them back in another session', async () => {
    const set = await session(['get profile 1', 'set bitrate 600', 'set resolution 320x180', 'set brightness 61']);
    expect(set).not.toMatch(/ERROR/u);
    const said = await session(['get profile 1', 'get video', 'get imaging']);
    expect(said).toMatch(/Resolution: 320 x 180\s+Frame Rate: 15\s+Gov Length: 30\s+Bit Rate: +600/u);
    expect(said).toContain('Brightness: 61');
  });

  it('is refused with a wrong password, and restarts the camera with the right one', async () => {
    const { here } = network ?? { here: '' };
    const refused = await waitFor('it to be heard', async () => {
      const said = await onvifUtil(['-u', camera.user, '-p', 'wrong', here], ['quit']);
      return said.includes('found host:') ? said : undefined;
    });
    expect(refused).toMatch(/NotAuthorized/u);
    expect(refused).not.toContain('connected');
    await session(['reboot', 'yes'], (said) => said.includes('connected') && !said.includes('ERROR'));
    const isRunning = async () => {
      const { devices } = (await (await fetch(`${site.controlUrl}/state`)).json()) as {
        devices: { isRunning: boolean }[];
      };
      return devices[0]?.isRunning;
    };
    await waitFor('the camera to go', async () => (await isRunning()) === false);
  });
});
