// Scopes of a virtual device, for services and discovery.

import type { DevicePlan } from '../device/device-plan.ts';

/** ONVIF names none of these kinds; radars and door controllers say it in words of their own. */
const SPECIAL = { radar: 'type/radar', access: 'type/access_control', aiBox: 'hardware/AI-Box' } as const;

/** ONVIF Core 7.3.2.2. */
export function scopeWords(plan: DevicePlan): string[] {
  const words = [
    'Profile/Streaming',
    'Profile/T',
    ...(plan.hasHistory ? ['Profile/G'] : []),
    `type/${plan.kind === 'camera' ? 'video_encoder' : 'Network_Video_Storage'}`,
    ...(plan.special === undefined ? [] : [SPECIAL[plan.special]]),
    `name/${encodeURIComponent(plan.name)}`,
    `hardware/${encodeURIComponent(plan.model)}`,
  ];
  return words.map((word) => `onvif://www.onvif.org/${word}`);
}
