// Sightings as a site reports them.
import { randomUUID } from 'node:crypto';
import type { SightingReport } from '@vedette/contract/site/site-sighting.ts';
import type { CallClient } from '../server-under-test.ts';
import type { ScriptedSite } from '../scripted-site.ts';

/** The start of a JPEG of 16 × 16 pixels: what the server looks at. */
export const JPEG = Buffer.from('ffd8ffc0001108001000100301220002110103110100', 'hex').toString('base64');

export const sightingReport = (deviceSerial: string, more: Partial<SightingReport> = {}): SightingReport => {
  const { at = Date.now() - 60_000 } = more;
  return {
    kind: 'sighting',
    deviceSerial,
    channelNo: 1,
    eventId: randomUUID(),
    trackId: 7,
    objectClass: 'person',
    score: 0.8,
    at,
    bestAt: at + 1000,
    endAt: at + 2000,
    path: [
      [0, 0.1, 0.2, 0.1, 0.3],
      [2000, 0.3, 0.2, 0.1, 0.3],
    ],
    regions: ['Yard'],
    picture: JPEG,
    ...more,
  };
};

export async function createSighting(client: CallClient, site: ScriptedSite, deviceSerial: string) {
  await site.reportStored(sightingReport(deviceSerial));
  const { sightingList } = await client.ok('ai/sighting/list', {
    startTime: 0,
    endTime: Date.now() + 60_000,
    devices: [{ deviceSerial }],
  });
  return { sightingId: sightingList[0]?.sightingId ?? '' };
}
