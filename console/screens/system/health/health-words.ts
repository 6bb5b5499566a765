// The words of health: names of parts and figures, sentences that say what to do, and where that is done.
import type { HealthEntry, HealthFigure, HealthReason, HealthState } from '@vedette/contract/calls/system-health.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { formatDate, formatDateTime, type TimeFormat } from '@vedette/rules/time-format.ts';
import { sizeText } from '../../../language/size-text.ts';
import { systemAddress } from '../../../navigation/system-sections.ts';
import type { StatusTone } from '../../../ui/feedback/status-dot.tsx';

export const STATE_TONES: Readonly<Record<HealthState, StatusTone>> = {
  good: 'online',
  warning: 'warning',
  bad: 'offline',
  off: 'unknown',
};

export function partText(t: Translate, { part, siteId, name }: HealthEntry): string {
  if (part === 'site') return t('health.siteNamed', { name: name === '' ? t('sites.local') : name });
  if (part === 'otherServer') return t('health.otherServer', { name });
  if (part === 'storage' && siteId !== '') return t('health.storageNamed', { folder: name });
  return t(`health.${part}`);
}

const LOGS = systemAddress('logs');
/** Where the cause is looked into or put right. */
const ADDRESSES: Readonly<Partial<Record<HealthReason, string>>> = {
  loopLate: `${LOGS}&part=server`,
  loopBlocked: `${LOGS}&part=server`,
  processMissing: `${LOGS}&part=launcher`,
  databaseSlow: `${LOGS}&part=postgres`,
  connectionsFew: `${LOGS}&part=postgres`,
  eventsDropped: `${LOGS}&part=site`,
  driversRestarted: `${LOGS}&part=site`,
  serverUnreachable: `${LOGS}&part=server`,
  serverForeign: `${LOGS}&part=server`,
  serverRefused: `${LOGS}&part=server`,
  siteOffline: systemAddress('sites'),
  siteWaiting: systemAddress('sites'),
  storageFull: systemAddress('storage'),
  storageFailing: systemAddress('storage'),
  storageMissing: systemAddress('storage'),
  certificateEnds: systemAddress('certificate'),
  certificateEnded: systemAddress('certificate'),
  backupOld: `${LOGS}&part=launcher`,
  backupFailed: `${LOGS}&part=launcher`,
  mailFailed: systemAddress('mail'),
  mailOff: systemAddress('mail'),
};

export function reasonAddress(reason: HealthReason | null): string | null {
  return reason === null ? null : (ADDRESSES[reason] ?? null);
}

const BYTES = new Set<HealthFigure>([
  'residentBytes',
  'databaseBytes',
  'usedBytes',
  'freeBytes',
  'memoryFreeBytes',
  'memoryBytes',
  'backupBytes',
]);

const INSTANTS = new Set<HealthFigure>(['upSince', 'lastBackup', 'lastBackupCheck']);

export function figureText(t: Translate, figure: HealthFigure, value: number | null, format: TimeFormat): string {
  if (value === null) return '–';
  if (BYTES.has(figure)) return sizeText(t, value);
  if (INSTANTS.has(figure)) return formatDateTime(value, format, false);
  switch (figure) {
    case 'cpuShare':
      return t('health.percent', { value: Math.round(value * 100) });
    case 'loopDelayMs':
    case 'latencyMs':
    case 'skewMs':
      return t('health.milliseconds', { value: value < 10 && value > -10 ? value : Math.round(value) });
    case 'validTo':
      return formatDate(value, format);
    default:
      return String(value);
  }
}
