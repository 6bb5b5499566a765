// Handler of manual recording: asks the site to record from now on as an event.
import type { manualRecordingCalls } from '@vedette/contract/calls/manual-recording.ts';
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import { CallError } from '../../core/call-error.ts';
import type { Handlers } from '../../http/handler.ts';
import type { SitePort } from '../../site-link/site-port.ts';

export interface ManualRecordingDeps {
  readonly site: SitePort;
}

export function manualRecordingHandlers({ site }: ManualRecordingDeps): Handlers<keyof typeof manualRecordingCalls> {
  return {
    'record/trigger': async ({ input, device, now }) => {
      const { deviceSerial, channelNo, seconds } = input;
      // A promise to record what does not come would be worse than a refusal.
      if (device.status === DEVICE_STATUS.offline) {
        throw new CallError('devResponseTimeOut', { reason: device.statusReason ?? 'offline' });
      }
      const span = { startTime: now, endTime: now + seconds * 1000 };
      await site.call('trigger', { deviceSerial, channelNo, ...span, reason: 'manual' });
      return span;
    },
  };
}
