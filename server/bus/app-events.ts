// Which events an app gets, by the scopes of its token: those that it may ask for by calls.
import type { AppScope } from '@vedette/contract/app-scopes.ts';
import type { PushEvent } from '@vedette/contract/calls/page-events.ts';

/** Null: for the console alone. */
const SCOPE_OF_EVENT = {
  deviceStatus: 'device.list',
  channelStatus: 'device.list',
  resourcesChanged: 'device.list',
  rightsChanged: 'any',
  alarm: 'alarm.read',
  alarmsMissed: 'alarm.read',
  /** The wall of the account and moves by it are no matter of an app. */
  alarmWindow: null,
  ptzEnded: null,
} as const satisfies Record<PushEvent['kind'], AppScope | 'any' | null>;

export function mayGet(scopes: readonly AppScope[], { kind }: PushEvent): boolean {
  const scope = SCOPE_OF_EVENT[kind];
  return scope === 'any' || (scope !== null && scopes.includes(scope));
}
