// Incidents of pages, files and inner addresses: text that became a page, names that became a path, addresses that led inside.
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { type Incidents, send } from './incident.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const ROOTS = ['/', '/assets/', '/documents/', '/documents/privacy/', '/locales/', '/api/docs/', '/packages/'];
const UPS = ['../', '....//', '..././', '%2e%2e/', '%252e%252e/', '..%2f', '..%5c', '..\\', '.%00./', '//'];
const FILES = ['etc/passwd', 'package.json', '.env', 'keys/master'];
const SCRIPT = '<script>alert(1)</script>';
/** Of this machine and of those beside it, in spellings by which filters of addresses were fooled. */
const INNER_HOSTS = [
  '127.0.0.1',
  '127.1',
  '0177.0.0.1',
  '0x7f000001',
  '2130706433',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:0001]',
  'localhost',
  'localhost.',
  '127.0.0.1.',
  '①②⑦.⓪.⓪.①',
];

export const OF_PAGES_AND_FILES: Incidents = {
  'ZoneMinder GHSA-g355 and CVE-2022-29806, motionEye CVE-2026-55863: a name out of its folder, however it is spelled, is none':
    async ({ url }) => {
      const paths = ROOTS.flatMap((root) => UPS.flatMap((up) => FILES.map((file) => `${root}${up.repeat(6)}${file}`)));
      for (const path of paths) {
        const { status, headers, text } = await send(url, { path });
        expect(text, path).not.toMatch(/root:x|"dependencies"|^[0-9a-f]{64}$/u);
        // A page of the console, which any unknown address shows, is no file.
        if (status === 200) expect(headers['content-type'], path).toContain('text/html');
      }
    },

  'MediaMTX of 2023 and SRS: no answer gives the text of an address back as a page': async ({ url }) => {
    const paths = [
      `/${SCRIPT}`,
      `//"><img src=x onerror=alert(1)>/`,
      `/api/v1/${SCRIPT}`,
      `/api/v1/device/list?callback=alert`,
      `/media/hls/${SCRIPT}/index.m3u8`,
      `/documents/${SCRIPT}/en`,
      `/guest?name=${SCRIPT}`,
    ];
    for (const path of paths) {
      const spelled = path.replaceAll(' ', '%20');
      for (const method of ['GET', 'POST']) {
        const body = method === 'POST' ? JSON.stringify({ [SCRIPT]: SCRIPT }) : '';
        const { text, headers } = await send(url, { method, path: spelled, headers: JSON_TYPE, body });
        if (String(headers['content-type']).includes('html')) expect(text, path).not.toMatch(/alert\(1\)/u);
        else expect(headers['x-content-type-options'] ?? 'nosniff', path).toBe('nosniff');
        expect(text, path).not.toMatch(/^\s*alert\(/u);
      }
    }
  },

  'ZoneMinder GHSA-g28p, ip CVE-2024-29415 and ssrfcheck CVE-2026-43929: an account has no address of this machine asked':
    async ({ stranger }) => {
      let asked = 0;
      const inner = createServer((_request, response) => {
        asked += 1;
        response.end('inside');
      }).listen(0);
      await once(inner, 'listening');
      const { port } = inner.address() as AddressInfo;
      try {
        for (const host of [...INNER_HOSTS, '169.254.169.254']) {
          for (const target of [
            `http://${host}:${port}/`,
            `http://user@${host}:${port}/`,
            `rtsp://${host}:${port}/x`,
          ]) {
            const probe = await stranger.raw('device/probe', { target, user: 'admin', password: 'x' });
            expect([target, probe.code]).not.toEqual([target, 200]);
          }
          const channel = {
            kind: 'webhook',
            name: 'inside',
            isEnabled: true,
            settings: { url: `http://${host}:${port}/` },
          };
          const saved = await stranger.raw('alarm/channel/save', channel);
          if (saved.code !== 200) continue;
          const { channelId } = (saved.data as { channel: { channelId: string } }).channel;
          const told = await stranger.raw('alarm/channel/test', { channelId });
          expect([host, (told.data as { isDelivered?: boolean } | null)?.isDelivered ?? false]).toEqual([host, false]);
          await stranger.raw('alarm/channel/delete', { channelId });
        }
        expect(asked).toBe(0);
      } finally {
        inner.closeAllConnections();
        inner.close();
      }
    },

  'ws CVE-2024-37890 and multer CVE-2026-2359: two thousand headers and a form that is given up stop nothing': async ({
    url,
    owner,
  }) => {
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_none, at) => [`x-${at}`, '1']));
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    for (const path of ['/ws', '/media/live', '/media/talk', '/site', '/api/v1/device/list', '/upload/firmware']) {
      const headers = { ...many, ...upgrade, 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' };
      const { status } = await send(url, { path, headers }).catch(() => ({ status: 0 }));
      expect([path, status]).not.toEqual([path, 500]);
    }
    const form = { ...JSON_TYPE, authorization: `Bearer ${owner.accessToken}` };
    for (const disposition of [
      'form-data; name=""; filename=""',
      'form-data',
      `form-data; filename="${'a'.repeat(60_000)}`,
    ]) {
      const body = `--x\r\nContent-Disposition: ${disposition}\r\n\r\nhalf of it`;
      const headers = { ...form, 'content-type': 'multipart/form-data; boundary=x' };
      const { status } = await send(url, { method: 'POST', path: '/upload/firmware', headers, body });
      expect([disposition.slice(0, 60), status < 500]).toEqual([disposition.slice(0, 60), true]);
    }
    expect((await owner.raw('device/list', {})).code).toBe(200);
  },
};
