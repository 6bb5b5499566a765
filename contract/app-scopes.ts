// What apps may ask of accounts (OAuth 2 scopes), and the permissions that each scope opens on the chosen devices.
import type { Permission } from './permissions.ts';

export const APP_SCOPES = {
  /** Identity tokens (OpenID Connect). */
  openid: [],
  /** Name of the account. */
  profile: [],
  /** Refresh tokens: the app goes on while nobody uses it (OpenID Connect Core 11). */
  offline_access: [],
  'device.list': [],
  live: ['Realplay'],
  playback: ['Replay'],
  export: ['Replay', 'Export'],
  ptz: ['PtzControl'],
  talk: ['Talk'],
  'alarm.read': ['AlarmPush'],
  'alarm.write': ['AlarmPush'],
  /** As a key for events: on devices that the account may configure. */
  'event.ingest': ['Config'],
  config: ['Config'],
  /** Alarms are counted too. */
  'stat.read': ['AlarmPush'],
} as const satisfies Record<string, readonly Permission[]>;

export type AppScope = keyof typeof APP_SCOPES;
export const APP_SCOPE_NAMES = Object.keys(APP_SCOPES) as [AppScope, ...AppScope[]];

/** These mean nothing without devices. */
export const DEVICE_SCOPES: ReadonlySet<AppScope> = new Set(
  APP_SCOPE_NAMES.filter((scope) => !['openid', 'profile', 'offline_access'].includes(scope)),
);

export function isAppScope(name: string): name is AppScope {
  return Object.hasOwn(APP_SCOPES, name);
}

/** Permissions of all these scopes together. */
export function scopePermissions(scopes: readonly AppScope[]): Permission[] {
  return [...new Set<Permission>(scopes.flatMap((scope) => APP_SCOPES[scope]))];
}
