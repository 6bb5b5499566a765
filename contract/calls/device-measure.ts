// Measures of devices, for those that a list shows: bit rate, since when they are connected, and their last recording.
import { z } from 'zod';
import { call } from '../call.ts';
import { deviceSerial, timeMs } from '../entities.ts';
import { DEVICE_BATCH_CHUNK } from '../limits.ts';

export const DeviceMeasure = z.object({
  deviceSerial: z.string(),
  /** Of all its streams that the site receives now; null where it receives none, or where one channel alone was shared. */
  kbps: z.number().nullable(),
  /** Null while it is not connected. */
  onlineSince: timeMs.nullable(),
  /** End of the newest recording; null without one, without the right to play back, or while its site is away. */
  lastRecordingAt: timeMs.nullable(),
});
export type DeviceMeasure = z.infer<typeof DeviceMeasure>;

export const deviceMeasureCalls = {
  'device/measure/list': call({
    summary: 'Measures of up to 100 devices by serial; those not visible are left out',
    permission: { kind: 'session' },
    audit: 'read',
    input: z.object({ deviceSerialList: z.array(deviceSerial).min(1).max(DEVICE_BATCH_CHUNK) }).strict(),
    output: z.object({ measureList: z.array(DeviceMeasure) }),
  }),
} as const;
