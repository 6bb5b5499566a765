// What a report says, and what it keeps to itself.
import { expect, it } from 'vitest';
import type { Health, Versions } from '../health/health.query.ts';
import { reportText } from './report-text.ts';

const versions: Versions = {
  version: '0.1.0',
  revision: 'abc',
  node: '24.1.0',
  postgres: '18.4',
  operatingSystem: 'Linux 6.1',
  architecture: 'x64',
  siteProtocol: 1,
  siteList: [{ siteId: 's1', siteName: 'Private harbour', isOnline: false, version: '0.1.0', node: '', ffmpeg: '' }],
  firmwareList: [{ deviceModel: 'M1', deviceVersion: '2.0', driver: 'onvif', total: 3 }],
};
const health: Health = {
  time: 0,
  partList: [
    {
      part: 'storage',
      siteId: 's1',
      name: '/home/somebody/recordings',
      state: 'bad',
      reason: 'storageMissing',
      detail: 'mail.private.example refused',
      figureList: [{ figure: 'freeBytes', value: 7, series: [1, 7] }],
    },
  ],
};

it('has versions, states and figures, and neither names nor folders', () => {
  const text = reportText(versions, health);
  expect(text).toBe(`Vedette 0.1.0 (abc)
Node.js 24.1.0, PostgreSQL 18.4, Linux 6.1 x64, site protocol 1
Site 1: offline, 0.1.0, Node.js unknown, ffmpeg none

Health
storage: bad storageMissing freeBytes=7

Devices
3 x M1 2.0 (onvif)
`);
  for (const name of ['harbour', 'somebody', 'private.example']) expect(text).not.toContain(name);
});

it('without health and devices has the versions alone', () => {
  expect(reportText({ ...versions, revision: '', siteList: [], firmwareList: [] }, null)).toBe(
    'Vedette 0.1.0\nNode.js 24.1.0, PostgreSQL 18.4, Linux 6.1 x64, site protocol 1\n',
  );
});
