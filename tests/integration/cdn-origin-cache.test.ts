// Debian's nginx as the CDN in front of an origin: however many viewers there are, the origin is asked the same few times.
import { readFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { signUntil } from '@vedette/foundation/signing/expiring-signature.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasNginx, NginxProcess } from '../harness/nginx-process.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

const STREAM = 'camera1-1';
const MEASURED_MS = 8000;

describe.skipIf(!hasNginx())('an origin behind nginx', () => {
  let site: SiteProcess;
  let virtual: VirtualSite;
  let nginx: NginxProcess;
  let address: string;

  beforeAll(async () => {
    [site, virtual] = await Promise.all([SiteProcess.create(), startVirtualSite(['--cameras', '1'])]);
    await site.serve();
    await site.start();
    const { port } = await site.gateway();
    nginx = await NginxProcess.create((folder, own) => cacheInFront(folder, own, port));
    await nginx.start();
    const found = virtual.devices.find((device) => device.kind === 'camera');
    if (!found) throw new Error('no camera');
    const { target, user, password } = found;
    const { deviceSerial, driver, native } = await site.ok('probe', { target, user, password, isOperator: true });
    const channels = [{ channelNo: 1, channelId: 'camera1', record: null, backfillFrom: null }];
    const settings = { ...site.settings, cameraNetworks: ['127.0.0.0/8'] };
    const device = { deviceSerial, driver, native, user, password, isOperatorAddress: true, channels };
    await site.ok('assign', { devices: [device], settings });
    const ticket = await site.ticket({ kind: 'push', deviceSerial, channelNo: 1, quality: 1 });
    await site.ok('originStart', { liveId: 'one', ticket, stream: STREAM, key: 'key' });
    const token = signUntil('key', STREAM, Math.floor(Date.now() / 1000) + 3600);
    address = `http://127.0.0.1:${nginx.port}/media/cdn/${token}/${STREAM}`;
    await waitFor('the camera', async () => (await fetch(`${address}/live.m3u8`)).ok);
  }, 150_000);
  afterAll(async () => {
    await Promise.all([site?.stop(), virtual?.stop(), nginx?.remove()]);
  });

  it.each([100, 300])('[LV-07] is asked at most ten times a second for %i viewers', async (viewers) => {
    const before = (await askedOfOrigin()).length;
    const begun = performance.now();
    const agent = new Agent({ keepAlive: true, maxSockets: viewers });
    const parts = await Promise.all(Array.from({ length: viewers }, () => watch(agent, address, begun + MEASURED_MS)));
    const seconds = (performance.now() - begun) / 1000;
    agent.destroy();
    const asked = (await askedOfOrigin()).slice(before);
    expect(asked.length / seconds).toBeLessThanOrEqual(10);
    expect(asked.length).toBeGreaterThan(seconds);
    // Everyone saw the stream go on.
    expect(Math.min(...parts)).toBeGreaterThan(5);
  }, 120_000);

  async function askedOfOrigin(): Promise<string[]> {
    const lines = (await readFile(join(nginx.folder, 'access.log'), 'utf8')).split('\n');
    // Without a status from the origin the answer was in the cache.
    return lines.filter((line) => line !== '' && !line.startsWith('-'));
  }
});

/** As a player of Low-Latency HLS does; how many parts it got. */
async function watch(agent: Agent, address: string, untilMs: number): Promise<number> {
  let playlist = await fetched(agent, `${address}/live.m3u8`);
  let parts = 0;
  while (performance.now() < untilMs) {
    const first = Number(/MEDIA-SEQUENCE:(\d+)/u.exec(playlist)?.[1]);
    const segment = first + [...playlist.matchAll(/#EXTINF/gu)].length;
    const open = playlist.slice(playlist.lastIndexOf('#EXTINF'));
    const part = [...open.matchAll(/#EXT-X-PART:/gu)].length;
    playlist = await fetched(agent, `${address}/live.m3u8?_HLS_msn=${segment}&_HLS_part=${part}`);
    const newest = [...playlist.matchAll(/#EXT-X-PART:.*URI="([^"]+)"/gu)].at(-1)?.[1] ?? '';
    if ((await fetched(agent, `${address}/${newest}`)).length > 0) parts += 1;
  }
  return parts;
}

/** Rejects for every status but 200. */
async function fetched(agent: Agent, url: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const request = get(url, { agent }, (response) => {
    const pieces: Buffer[] = [];
    response.on('data', (piece: Buffer) => pieces.push(piece));
    response.on('end', () => {
      if (response.statusCode === 200) resolve(Buffer.concat(pieces).toString('latin1'));
      else reject(new Error(`${response.statusCode} ${url}`));
    });
  });
  request.on('error', reject);
  return await promise;
}

/** The token stays in the key: it is the same for all viewers, and one that the origin refuses must find nothing. */
function cacheInFront(folder: string, port: number, originPort: number): string {
  return `
    events { worker_connections 2048; }
    http {
      log_format asked '$upstream_status $request_uri';
      access_log ${folder}/access.log asked;
      client_body_temp_path ${folder}/body;
      proxy_temp_path ${folder}/proxy;
      fastcgi_temp_path ${folder}/fastcgi;
      uwsgi_temp_path ${folder}/uwsgi;
      scgi_temp_path ${folder}/scgi;
      proxy_cache_path ${folder}/cache keys_zone=live:8m max_size=256m inactive=20s;
      upstream origin { server 127.0.0.1:${originPort}; keepalive 32; }
      server {
        listen 127.0.0.1:${port};
        location /media/cdn/ {
          proxy_pass http://origin;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_set_header Host $host;
          proxy_cache live;
          proxy_cache_key $request_uri;
          proxy_cache_use_stale updating;
          proxy_cache_lock on;
          proxy_cache_lock_timeout 15s;
          proxy_cache_lock_age 15s;
        }
      }
    }
  `;
}
