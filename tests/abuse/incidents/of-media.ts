// Incidents in which media were reached around the calls, or somebody published where others watch.
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'vitest';
import { type IncidentPlace, type Incidents, send } from './incident.ts';

const FILES = ['/etc/passwd', 'keys/master', 'main-server.ts', 'package.json'];
const SDP = 'v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=-\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n';

async function rtspUrlOf({ owner, dev }: IncidentPlace): Promise<URL> {
  return new URL((await owner.ok('media/url', { ...dev, quality: 0 })).rtspUrl);
}

/** The status line of each request, all of them over one connection. */
async function rtsp({ hostname, port }: URL, requests: readonly string[]): Promise<string[]> {
  const socket = connect(Number(port), hostname);
  const statuses: string[] = [];
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part;
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  for (const [at, request] of requests.entries()) {
    text = '';
    socket.write(request.replace('\r\n', `\r\nCSeq: ${at + 1}\r\n`));
    while (!/RTSP\/1\.0 \d{3}/u.test(text) && !socket.destroyed) await Promise.race([once(socket, 'data'), closed]);
    statuses.push(/RTSP\/1\.0 (\d{3})/u.exec(text)?.[1] ?? 'closed');
  }
  socket.destroy();
  return statuses;
}

const announce = (url: string) =>
  `ANNOUNCE ${url} RTSP/1.0\r\nContent-Type: application/sdp\r\nContent-Length: ${SDP.length}\r\n\r\n${SDP}`;

export const OF_MEDIA: Incidents = {
  'TinyIce CVE-2026-45327: nobody publishes, by any protocol, with a ticket to watch or without one': async (place) => {
    const ticketed = await rtspUrlOf(place);
    const own = `rtsp://${ticketed.host}/live`;
    for (const url of [ticketed.href, own]) {
      const [status] = await rtsp(ticketed, [announce(url)]);
      expect(['401', '403', '404', '405', '501', 'closed']).toContain(status);
      const [recorded] = await rtsp(ticketed, [`RECORD ${url} RTSP/1.0\r\n\r\n`]);
      expect(recorded).not.toBe('200');
    }
    for (const path of ['/whip', '/media/whip', '/media/whip/x', '/media/whep/x', '/media/whep', '/live/x/whip']) {
      for (const method of ['POST', 'PUT', 'PATCH']) {
        const { status, headers } = await send(place.url, {
          method,
          path,
          headers: { 'content-type': 'application/sdp' },
          body: SDP,
        });
        expect([method, path, status >= 400]).toEqual([method, path, true]);
        expect(headers.location).toBeUndefined();
      }
    }
  },

  'Node-Media-Server #689 and MediaMTX of 2026: the name of a stream is no path, in a request or an address': async (
    place,
  ) => {
    const url = await rtspUrlOf(place);
    for (const name of ['../../../etc/passwd', '..%2f..%2fetc%2fpasswd', 'x/../../y', '%00', '$(id)', '?cmd=id', '/']) {
      const target = `rtsp://${url.host}/${name}`;
      const [announced] = await rtsp(url, [announce(target)]);
      const [described] = await rtsp(url, [`DESCRIBE ${target} RTSP/1.0\r\n\r\n`]);
      expect([name, announced === '200' || described === '200']).toEqual([name, false]);
    }
  },

  'open-nvr #221, filestash #1011 and motionEye CVE-2026-55488: no address of media is a way to a file': async ({
    url,
  }) => {
    const roots = [
      '/media/hls/',
      '/media/hls/x/',
      '/media/fragments/',
      '/media/export/',
      '/media/snapshot/',
      '/media/cdn/',
    ];
    for (const root of roots) {
      for (const file of FILES) {
        for (const up of [
          '',
          '/',
          '../../../../../../',
          '..%2f..%2f..%2f..%2f',
          '%2e%2e/%2e%2e/',
          '....//....//',
          '..;/',
        ]) {
          const { status, text } = await send(url, { path: `${root}${up}${file}` });
          expect([root, up, file, status >= 400]).toEqual([root, up, file, true]);
          expect(text).not.toMatch(/root:|"name"|^[0-9a-f]{64}$/u);
        }
      }
    }
  },

  'Frigate CVE-2026-33470 and ZoneMinder CVE-2026-54258: a right to some pictures is none to those of another': async (
    place,
  ) => {
    const { stranger, owner, dev } = place;
    const range = { startTime: Date.now() - 60_000, endTime: Date.now() };
    const ways: Readonly<Record<string, object>> = {
      'capture/get': dev,
      'media/url': { ...dev, quality: 0 },
      'record/query': { ...dev, ...range },
      'record/hls': { ...dev, ...range },
      'record/gap/list': { ...dev, ...range },
      'record/export/start': { items: [{ ...dev, ...range }] },
      'record/export/estimate': { items: [{ ...dev, ...range }] },
    };
    for (const [path, input] of Object.entries(ways)) {
      const foreign = await stranger.raw(path, input);
      const missing = await stranger.raw(
        path,
        JSON.parse(JSON.stringify(input).replaceAll(dev.deviceSerial, 'NOSUCH1')),
      );
      expect([path, foreign.code]).not.toEqual([path, 200]);
      // Foreign and missing are one to a stranger.
      expect([path, foreign]).toEqual([path, missing]);
    }
    expect((await stranger.ok('alarm/list', {})).alarmList).toEqual([]);
    expect((await owner.raw('record/query', { ...dev, ...range })).code).toBe(200);
  },
};
