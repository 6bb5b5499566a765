// Cameras recorded by a separate site during another measurement, and what their recordings miss.
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import { SiteProcess } from '../../tests/harness/site-process.ts';
import { waitFor } from '../../tests/harness/wait-for.ts';
import { type Camera, startCameras } from './cameras.ts';

export interface SteadyRecordings {
  /** Of what was recorded since it was asked first. */
  missing(): Promise<{ readonly cameras: number; readonly gaps: number; readonly missingMs: number }>;
  stop(): Promise<void>;
}

const KBPS = 2000;
const READY_MS = 60_000;
/** What is not on the disk yet when it is asked. */
const BEHIND_MS = 5000;

export async function startSteadyRecordings(count: number): Promise<SteadyRecordings> {
  const [cameras, site] = await Promise.all([startCameras(count, KBPS), SiteProcess.create()]);
  await site.serve();
  await site.start();
  const devices = cameras.list.map(assignment);
  await site.ok('assign', { devices, settings: site.settings });
  const spansOf = async (index: number, startTime: number) => {
    const range = { startTime, endTime: Date.now() };
    const { spans } = await site.ok('recordings', { channelId: `steady${index}`, quality: 0, ...range });
    return spans.toSorted((one, other) => one.startTime - other.startTime);
  };
  const all = async (from: number) => await Promise.all(devices.map((_device, index) => spansOf(index, from)));
  await waitFor('all to be recorded', async () => (await all(0)).every((spans) => spans.length > 0), READY_MS);
  const since = Date.now();
  return {
    missing: async () => {
      const until = Date.now() - BEHIND_MS;
      let [gaps, missingMs] = [0, 0];
      for (const spans of await all(since)) {
        let recordedTo = since;
        for (const { startTime, endTime } of [...spans, { startTime: until, endTime: until }]) {
          if (startTime > recordedTo) {
            gaps += 1;
            missingMs += startTime - recordedTo;
          }
          recordedTo = Math.max(recordedTo, endTime);
        }
      }
      return { cameras: count, gaps, missingMs: Math.round(missingMs) };
    },
    stop: async () => {
      await Promise.all([site.stop(), cameras.stop()]);
    },
  };
}

function assignment({ url, user, password }: Camera, index: number): DeviceAssignment {
  const record = { quality: 0, retentionDays: 30 } as const;
  return {
    deviceSerial: `STEADY${index}`,
    driver: 'rtsp',
    native: { urls: [url] },
    user,
    password,
    isOperatorAddress: true,
    channels: [{ channelNo: 1, channelId: `steady${index}`, record, backfillFrom: null }],
  };
}
