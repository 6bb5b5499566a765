// Call of manual recording: starts now, for a given time, regardless of the plan.
import { z } from 'zod';
import { call } from '../call.ts';
import { channelNo, deviceSerial, timeMs } from '../entities.ts';
import { MANUAL_RECORDING_S } from '../limits.ts';

export const manualRecordingCalls = {
  'record/trigger': call({
    summary: 'Record a channel from now on for some seconds, whatever its plan says; a later call extends it',
    permission: { kind: 'device', action: 'Replay' },
    audit: 'write',
    errors: [1009, 1012, 2316, 2317],
    input: z
      .object({
        deviceSerial,
        channelNo,
        seconds: z.number().int().min(MANUAL_RECORDING_S.least).max(MANUAL_RECORDING_S.most),
      })
      .strict(),
    output: z.object({ startTime: timeMs, endTime: timeMs }),
  }),
} as const;
