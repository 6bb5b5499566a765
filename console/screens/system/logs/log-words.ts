// The words for levels and processes of the log.
import type { LogLevel, LogPart } from '@vedette/contract/calls/system-log.ts';
import type { PlainKey } from '@vedette/phrases/pack.ts';

export const LEVEL_KEYS: Readonly<Record<LogLevel, PlainKey>> = {
  debug: 'systemLog.debug',
  info: 'systemLog.info',
  warning: 'systemLog.warning',
  error: 'systemLog.error',
};

export const PART_KEYS: Readonly<Record<LogPart, PlainKey>> = {
  launcher: 'systemLog.launcher',
  gateway: 'systemLog.gateway',
  server: 'systemLog.server',
  site: 'systemLog.site',
  postgres: 'systemLog.postgres',
  'virtual-devices': 'systemLog.virtualDevices',
};
