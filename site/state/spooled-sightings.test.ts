// Sightings that wait too long for their server are dropped, the oldest first and counted, but never an alarm for them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SightingReport } from '@vedette/contract/site/site-sighting.ts';
import type { SiteEvent } from '@vedette/contract/site/site.ts';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EventSpool } from './event-spool.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spooled-sightings-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const MEGABYTE = 'p'.repeat(1024 * 1024);
const sighting = (trackId: number): SightingReport => ({
  kind: 'sighting',
  deviceSerial: 'D1',
  channelNo: 1,
  eventId: `e${trackId}`,
  trackId,
  objectClass: 'person',
  score: 0.8,
  at: 1000,
  bestAt: 1000,
  endAt: 1000,
  path: [[0, 0, 0, 1, 1]],
  regions: [],
  picture: MEGABYTE,
});
const alarm: SiteEvent = { kind: 'deviceStatus', deviceSerial: 'D1', status: 1, reason: null, at: 1000 };

async function openSpool(): Promise<EventSpool> {
  const spool = new EventSpool({
    disk: createDisk(),
    path: join(folder, 'spool'),
    onFault: (error) => expect.unreachable(String(error)),
  });
  await spool.load();
  return spool;
}
const tracks = (spool: EventSpool) =>
  spool.pending().flatMap(({ event }) => (event.kind === 'sighting' ? [event.trackId] : []));

it('keeps 32 MB of them and every alarm, also across a restart', async () => {
  const spool = await openSpool();
  spool.add(alarm);
  for (let trackId = 1; trackId <= 50; trackId += 1) spool.add(sighting(trackId));
  expect(tracks(spool).at(-1)).toBe(50);
  expect(tracks(spool).length).toBeLessThanOrEqual(32);
  expect(tracks(spool).length).toBeGreaterThanOrEqual(30);
  expect(spool.dropped).toBe(50 - tracks(spool).length);
  expect(spool.pending()[0]?.event).toEqual(alarm);
  const waiting = tracks(spool);
  await spool.close();
  const later = await openSpool();
  expect(tracks(later)).toEqual(waiting);
  expect(later.pending()[0]?.event).toEqual(alarm);
  await later.close();
});

it('has room again for those that come after others were stored', async () => {
  const spool = await openSpool();
  for (let trackId = 1; trackId <= 25; trackId += 1) spool.add(sighting(trackId));
  spool.ack(25);
  for (let trackId = 26; trackId <= 50; trackId += 1) spool.add(sighting(trackId));
  expect(tracks(spool)).toHaveLength(25);
  expect(spool.dropped).toBe(0);
  await spool.close();
});
