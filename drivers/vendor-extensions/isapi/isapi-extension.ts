// What Hikvision's ISAPI adds: one row for each document of the device that holds fields of a section.
import type { VendorExtension } from '../vendor-extension.ts';
import { schedulePart, triggerPart } from './arming.ts';
import { fieldDetectionPart } from './field-detection.ts';
import { fieldsPart } from './fields.ts';
import { flipPart } from './flip.ts';
import { formatDisk, storagePart } from './storage.ts';
import { tracePart } from './trace.ts';

const percent = (path: string) => ({ path, kind: 'range', min: 0, max: 100 }) as const;

export const isapi: VendorExtension = {
  id: 'isapi',
  makers: /hik|hilook|annke|ezviz|lts\b/iu,
  detect: async (http, signal) => {
    const { status, body } = await http.look('/ISAPI/System/deviceInfo', signal);
    return status === 200 && body.includes('DeviceInfo');
  },
  parts: {
    image: [flipPart],
    audio: [
      fieldsPart((no) => `/ISAPI/System/TwoWayAudio/channels/${no}`, {
        inputVolume: percent('microphoneVolume'),
        outputVolume: percent('speakerVolume'),
        noiseReduction: { path: 'noisereduce', kind: 'flag' },
      }),
    ],
    motion: [
      schedulePart((no) => `/ISAPI/Event/schedules/motionDetections/VMD_video${no}`),
      triggerPart((no) => `/ISAPI/Event/triggers/VMD-${no}`),
    ],
    humanShape: [
      fieldDetectionPart,
      schedulePart((no) => `/ISAPI/Event/schedules/fieldDetections/fielddetection-${no}`),
      triggerPart((no) => `/ISAPI/Event/triggers/fielddetection-${no}`),
    ],
    tracking: [tracePart],
    storage: [
      storagePart,
      fieldsPart(() => '/ISAPI/ContentMgmt/Storage/extension', { overwrite: { path: 'LoopEnable', kind: 'flag' } }),
    ],
  },
  formatDisk,
};
