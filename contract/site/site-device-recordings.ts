// Recordings on the devices' own storage, as server and site speak of it, and the schemas of what a site answers.
import { z } from 'zod';
import { days, SITE_ANSWER_LIMITS, span } from './site-answer-parts.ts';

/** Wall-clock ms. */
export interface DeviceSpan {
  readonly startTime: number;
  readonly endTime: number;
}

/** Each is answered 1006 where the channel keeps nothing that can be asked for, 2316 and 2317 where the device doesn't answer. */
export interface DeviceRecordingCalls {
  /** What the device holds of a channel within the range, cut to it, joined, oldest first; may be half a minute old. */
  deviceRecordings: {
    input: {
      readonly deviceSerial: string;
      readonly channelNo: number;
      readonly startTime: number;
      readonly endTime: number;
    };
    output: { readonly spans: readonly DeviceSpan[] };
  };
  /** Days (YYYY-MM-DD in `timeZone`) of the range on which the device holds recordings of a channel. */
  deviceRecordingDays: {
    input: {
      readonly deviceSerial: string;
      readonly channelNo: number;
      readonly startTime: number;
      readonly endTime: number;
      readonly timeZone: string;
    };
    output: { readonly days: readonly string[] };
  };
}

export const deviceRecordingAnswers = {
  deviceRecordings: z.object({ spans: z.array(span).max(SITE_ANSWER_LIMITS.spans) }),
  deviceRecordingDays: z.object({ days }),
};
