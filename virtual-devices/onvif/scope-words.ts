// What a virtual device says of itself in scopes, to whoever asks and in discovery.

import type { DevicePlan } from '../device/device-plan.ts';

/** ONVIF Core 7.3.2.2. */
export function scopeWords(plan: DevicePlan): string[] {
  const words = [
    'Profile/Streaming',
    'Profile/T',
    ...(plan.hasHistory ? ['Profile/G'] : []),
    `type/${plan.kind === 'camera' ? 'video_encoder' : 'Network_Video_Storage'}`,
    `name/${encodeURIComponent(plan.name)}`,
    `hardware/${encodeURIComponent(plan.model)}`,
  ];
  return words.map((word) => `onvif://www.onvif.org/${word}`);
}
