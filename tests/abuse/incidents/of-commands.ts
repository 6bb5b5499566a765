// Incidents in which a value that somebody gave became a command, an option of a tool, a query or a source of its own.
import { expect } from 'vitest';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { waitFor } from '../../harness/wait-for.ts';
import { commands, type IncidentPlace, type Incidents, isMade, send } from './incident.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Until something that takes as long has been done: a command would have run by then. */
async function probed({ owner }: IncidentPlace, target: string, more: object = {}): Promise<number> {
  return (await owner.raw('device/probe', { target, user: 'admin', password: 'x', ...more })).code;
}

export const OF_COMMANDS: Incidents = {
  'Hikvision CVE-2021-36260: a language reaches no shell, before sign-in or after': async (place) => {
    const { url, owner } = place;
    for (const command of commands(place)) {
      await send(url, {
        method: 'PUT',
        path: '/SDK/webLanguage',
        headers: { 'content-type': 'application/xml' },
        body: `<?xml version="1.0"?><language>${command}</language>`,
      });
      await send(url, {
        path: `/documents/privacy/${encodeURIComponent(command)}`,
        headers: { 'accept-language': command },
      });
      const body = JSON.stringify({ language: command });
      await send(url, { method: 'POST', path: '/api/v1/server/version', headers: JSON_TYPE, body });
      expect((await owner.raw('account/update', { language: command })).code).toBe(ERROR_CODES.paramInvalid);
    }
    expect(isMade(place)).toBe(false);
  },

  'ZoneMinder GHSA-745h and CVE-2023-26035, TP-Link CVE-2025-7723: no text of a device, snapshot or export reaches a shell':
    async (place) => {
      const { owner, dev } = place;
      const now = Date.now();
      const items = [{ ...dev, startTime: now - 8000, endTime: now - 2000 }];
      for (const command of commands(place)) {
        await probed(place, `rtsp://127.0.0.1:9/${command}`);
        await probed(place, `http://127.0.0.1:9/`, { user: command, password: command });
        await owner.raw('capture/get', { ...dev, channelNo: command });
        await owner.raw('capture/get', { deviceSerial: command, channelNo: 1 });
        await owner.ok('channel/update', { ...dev, channelName: command });
        await owner.raw('record/export/start', { items, name: command, timeZone: command, burnIn: true });
      }
      // The name of the camera, which is a command by now, is burnt into the frames.
      const { task } = await owner.ok('record/export/start', { items, burnIn: true });
      await waitFor('the export', async () => (await owner.ok('record/export/status', { task })).state === 'finished');
      expect(isMade(place)).toBe(false);
    },

  'go2rtc: no source runs a program, calls an expression or reads a file, and no device may name one': async (
    place,
  ) => {
    const touch = `touch ${place.marker}`;
    const programs = [`exec:${touch}`, `echo:${touch}`, `expr:${touch}`, `ffmpeg:${touch}`, `pipe:${touch}`];
    const files = ['file:///etc/passwd', 'concat:/etc/passwd', 'subfile,,start,0,end,0,,:/etc/passwd', '/etc/passwd'];
    for (const target of [
      ...programs,
      ...files,
      'data:text/plain,x',
      'tcp://127.0.0.1:22',
      'gopher://127.0.0.1:70/x',
    ]) {
      const code = await probed(place, target);
      expect([target, code]).toEqual([target, ERROR_CODES.paramInvalid]);
    }
    expect(isMade(place)).toBe(false);
  },

  'Frigate GHSA of 2026: an export takes no option of a tool, no nested key and no path': async ({ owner, dev }) => {
    const now = Date.now();
    const items = [{ ...dev, startTime: now - 8000, endTime: now - 2000 }];
    const options = { ffmpegInputArgs: '-f lavfi', ffmpegOutputArgs: '-y /tmp/x', image_path: '/etc/passwd' };
    for (const [key, value] of Object.entries(options)) {
      const flat = await owner.raw('record/export/start', { items, [key]: value });
      const nested = await owner.raw('record/export/start', { items: [{ ...items[0], [key]: value }] });
      expect([key, flat.code, nested.code]).toEqual([key, ERROR_CODES.paramInvalid, ERROR_CODES.paramInvalid]);
    }
    for (const name of ['../../../tmp/x', '/tmp/x', '-y', '..\\x', 'a\0b']) {
      const started = await owner.raw('record/export/start', { items, name });
      if (started.code !== 200) continue;
      const { task } = started.data as { task: string };
      const told = await owner.ok('record/export/status', { task });
      expect(JSON.stringify(told)).not.toMatch(/\.\.[/\\]|"\/tmp|\\u0000/u);
      await owner.ok('record/export/cancel', { task });
    }
  },

  'ZoneMinder GHSA-q2w3, GHSA-qm8h and GHSA-222j: no limit, column, order or stored name becomes a part of a query':
    async ({ owner, dev }) => {
      const before = (await owner.ok('device/list', {})).total;
      const text = "x'; delete from device; --";
      for (const more of [{ sortBy: text }, { sortOrder: text }, { pageSize: text }, { pageNo: '1; select 1' }]) {
        const { code } = await owner.raw('device/list', more);
        expect([more, code]).toEqual([more, ERROR_CODES.paramInvalid]);
      }
      // A name that was stored is asked for again by every list.
      await owner.ok('device/update', { deviceSerial: dev.deviceSerial, deviceName: text });
      expect((await owner.ok('device/list', { keyWord: text })).deviceList.map((device) => device.deviceName)).toEqual([
        text,
      ]);
      expect((await owner.raw('alarm/list', { cursor: text })).code).toBe(ERROR_CODES.paramInvalid);
      expect((await owner.ok('device/list', { keyWord: '%' })).total).toBe(0);
      expect((await owner.ok('device/list', {})).total).toBe(before);
    },
};
