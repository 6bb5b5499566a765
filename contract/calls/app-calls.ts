// Which calls an app may make with its token, by the scope that opens them. All others answer 1006 to apps.
import type { AppScope } from '../app-scopes.ts';
import type { CallPath } from './calls.ts';

const CALLS_OF_SCOPES = {
  openid: [],
  profile: [],
  offline_access: [],
  'device.list': [
    'device/list',
    'device/get',
    'device/capacity',
    'channel/list',
    'channel/capacity',
    'org/list',
    'org/device/list',
    'org/resource/list',
  ],
  live: ['media/url', 'stream/list', 'keyframe/invoke', 'capture/get'],
  playback: ['record/calendar', 'record/query', 'record/time', 'record/hls', 'record/url', 'record/gap/list'],
  // Not the list, which names the account's own exports too.
  export: ['record/export/estimate', 'record/export/start', 'record/export/status', 'record/export/cancel'],
  ptz: ['ptz/start', 'ptz/stop', 'preset/list', 'preset/goto', 'patrol/list', 'patrol/start', 'patrol/stop'],
  talk: ['talk/url'],
  'alarm.read': ['alarm/list', 'alarm/types', 'alarm/stats', 'alarm/picture'],
  'alarm.write': ['alarm/ack', 'alarm/close', 'alarm/comment'],
  'event.ingest': ['event/ingest'],
  config: ['config/list', 'config/get', 'config/set'],
  'stat.read': ['stat/overview', 'stat/device', 'stat/alarm', 'stat/storage', 'stat/traffic'],
} as const satisfies Record<AppScope, readonly CallPath[]>;

/** These act on the token itself. */
const CALLS_OF_EVERY_APP: readonly CallPath[] = ['token/check', 'account/logout', 'oauth/launch/begin'];

const SCOPE_BY_CALL: ReadonlyMap<CallPath, AppScope> = new Map(
  (Object.entries(CALLS_OF_SCOPES) as [AppScope, readonly CallPath[]][]).flatMap(([scope, paths]) =>
    paths.map((path) => [path, scope] as const),
  ),
);

/** The scope that a call needs; `any`: none; null: no app may make it. */
export function scopeOfCall(path: CallPath): AppScope | 'any' | null {
  if (CALLS_OF_EVERY_APP.includes(path)) return 'any';
  return SCOPE_BY_CALL.get(path) ?? null;
}
