// How long a call to a site is waited for, and the error where it takes longer.
import type { SiteCallName } from '@vedette/contract/site/site.ts';
import { CallError } from '../core/call-error.ts';
import { currentDeadline } from '../database/request-deadline.ts';

const PTZ_CALLS = [
  'ptzStart',
  'ptzStop',
  'presets',
  'presetAdd',
  'presetRemove',
  'presetGoto',
  'patrols',
  'patrolStart',
  'tourOperate',
] as const;
/** Calls that wait for a device: a timeout is the device's (2317), else the site's (1012). */
const DEVICE_CALLS: ReadonlySet<SiteCallName> = new Set([
  'probe',
  'reboot',
  'keyframe',
  'streams',
  'capabilities',
  'talk',
  'configSections',
  'configRead',
  'configWrite',
  'upgradeBegin',
  'formatStart',
  'outputSwitch',
  ...PTZ_CALLS,
]);
/** Longer than the site's own timeout for the device. Somebody who waits for a call gets an answer earlier. */
const TIMEOUT_MS: Partial<Record<SiteCallName, number>> = {
  probe: 20_000,
  assign: 30_000,
  configSections: 25_000,
  configRead: 14_000,
  configWrite: 17_000,
  formatStart: 16_000,
  upgradePart: 30_000,
  upgradeRun: 16_000,
};
const TIMEOUT_USUAL_MS = 8000;

/** `now`: monotonic. */
export function siteCallTimeoutMs(name: SiteCallName, now: number): number {
  const own = TIMEOUT_MS[name] ?? TIMEOUT_USUAL_MS;
  return Math.min(own, currentDeadline()?.siteMs(now) ?? own);
}

export function siteCallTimeout(name: SiteCallName): CallError {
  return DEVICE_CALLS.has(name)
    ? new CallError('devResponseTimeOut', { reason: 'timeout' })
    : new CallError('serviceBusy');
}
