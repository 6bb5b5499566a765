// The parts of the installation as the operator is shown them: judged, with their figures and the course of an hour.
import type { HealthEntry, HealthFigure, HealthPart } from '@vedette/contract/calls/system-health.ts';
import {
  bad,
  type BackupFacts,
  type Judgement,
  judgeAuditLog,
  judgeBackup,
  judgeCertificate,
  judgeCpu,
  judgeDatabase,
  judgeDisk,
  judgeGrowth,
  judgeLoop,
  judgeMail,
  judgeMemory,
  judgeMessages,
  judgeSkew,
  judgeStorage,
  off,
  warning,
  worst,
} from '@vedette/rules/system-health.ts';
import type { SiteHealth } from '@vedette/contract/site/site.ts';
import type { MeasureHistory } from '../../health/measure-history.ts';

type Figure = HealthEntry['figureList'][number];

interface EntryFacts {
  readonly siteId?: string;
  readonly name?: string;
  readonly detail?: string;
}

function entry(part: HealthPart, judgement: Judgement, figureList: Figure[], facts: EntryFacts = {}): HealthEntry {
  return { part, siteId: '', name: '', detail: '', ...facts, ...judgement, figureList };
}

/** With its course; left out where it was never measured, as processor shares outside Linux. */
function courses(history: MeasureHistory, prefix: string, figures: readonly HealthFigure[]): Figure[] {
  return figures.flatMap((figure) => {
    const name = `${prefix}.${figure}`;
    const series = history.course(name);
    return series.length === 0 ? [] : [{ figure, value: history.newest(name), series }];
  });
}

function single(figure: HealthFigure, value: number | null): Figure {
  return { figure, value, series: [] };
}

export function serverEntry(history: MeasureHistory, upSince: number): HealthEntry {
  const judged = worst([judgeLoop(history.of('server.loopDelayMs')), judgeCpu(history.of('server.cpuShare'))]);
  const figures = courses(history, 'server', ['cpuShare', 'residentBytes', 'loopDelayMs', 'pages']);
  return entry('server', judged, [...figures, single('upSince', upSince)]);
}

/** Measured by the machine's list of processes: without one there is nothing to say. */
export function gatewayEntry(history: MeasureHistory): HealthEntry {
  const figures = courses(history, 'gateway', ['cpuShare', 'residentBytes', 'handles']);
  if (figures.length === 0) return entry('gateway', off('notMeasured'), []);
  const isGone = history.newest('gateway.residentBytes') === null;
  return entry('gateway', isGone ? bad('processMissing') : judgeCpu(history.of('gateway.cpuShare')), figures);
}

export function databaseEntry(history: MeasureHistory): HealthEntry {
  const used = history.newest('database.connections') ?? 0;
  const most = history.newest('database.connectionsMost') ?? 0;
  const judged = judgeDatabase(history.of('database.latencyMs'), { used, most });
  const figures = ['latencyMs', 'connections', 'databaseBytes', 'cpuShare', 'residentBytes'] as const;
  return entry('database', judged, courses(history, 'database', figures));
}

export interface SiteFacts {
  readonly siteId: string;
  readonly siteName: string;
  readonly status: 'online' | 'offline' | 'waiting';
  readonly health: SiteHealth | null;
}

export function siteEntries(history: MeasureHistory, { siteId, siteName, status, health }: SiteFacts): HealthEntry[] {
  const prefix = `site ${siteId}`;
  const facts = { siteId, name: siteName };
  if (status !== 'online')
    return [entry('site', status === 'waiting' ? off('siteWaiting') : bad('siteOffline'), [], facts)];
  const judged = worst([
    judgeLoop(history.of(`${prefix}.loopDelayMs`)),
    judgeSkew(history.newest(`${prefix}.skewMs`)),
    judgeGrowth(history.of(`${prefix}.eventsDropped`), 'eventsDropped'),
    judgeGrowth(history.of(`${prefix}.driverRestarts`), 'driversRestarted'),
  ]);
  const figures = courses(history, prefix, ['cpuShare', 'residentBytes', 'loopDelayMs', 'eventsWaiting', 'skewMs']);
  const upSince = health?.process?.startedAt;
  const site = entry('site', judged, upSince === undefined ? figures : [...figures, single('upSince', upSince)], facts);
  if (health === null) return [site];
  const { state, folder, disks = [] } = health.storage;
  if (disks.length < 2) {
    const space = courses(history, prefix, ['usedBytes', 'freeBytes']);
    return [site, entry('storage', judgeStorage(state), space, { siteId, name: folder })];
  }
  const each = disks.map((disk) => {
    const space = [single('usedBytes', disk.usedBytes), single('freeBytes', disk.freeBytes)];
    return entry('storage', judgeStorage(disk.state), space, { siteId, name: disk.folder });
  });
  return [site, ...each];
}

export function machineEntries(history: MeasureHistory): HealthEntry[] {
  const free = history.newest('machine.memoryFreeBytes');
  const total = history.newest('machine.memoryBytes');
  const memory = free === null || total === null ? [] : [judgeMemory(free, total)];
  const diskFree = history.newest('dataDisk.freeBytes');
  const disk = diskFree === null ? off('notMeasured') : judgeDisk(diskFree, history.newest('dataDisk.totalBytes') ?? 0);
  return [
    entry('machine', worst([...memory, judgeCpu(history.of('machine.cpuShare'))]), [
      ...courses(history, 'machine', ['cpuShare', 'memoryFreeBytes']),
      ...(total === null ? [] : [single('memoryBytes', total)]),
    ]),
    entry('dataDisk', disk, courses(history, 'dataDisk', ['freeBytes'])),
  ];
}

/** Facts beside what is sampled. */
export interface SlowFacts {
  readonly devicesWithWrongClock: number;
  readonly certificateTo: number | null;
  readonly backup: BackupFacts & { readonly bytes: number | null; readonly checkedAt: number | null };
  readonly isMailOn: boolean;
  readonly mailFailure: { readonly at: number; readonly reason: string } | null;
  readonly auditUnchainedSince: number | null;
  readonly deliveries: { readonly delivered: number; readonly failed: number };
}

export function otherEntries(facts: SlowFacts, now: number): HealthEntry[] {
  const { devicesWithWrongClock: wrong, certificateTo, backup, isMailOn, mailFailure, deliveries } = facts;
  const mail = judgeMail(isMailOn, mailFailure?.at ?? null, now);
  return [
    entry('deviceClocks', wrong === 0 ? worst([]) : warning('deviceClocksWrong'), [single('devices', wrong)]),
    entry(
      'certificate',
      judgeCertificate(certificateTo, now),
      certificateTo === null ? [] : [single('validTo', certificateTo)],
    ),
    backupEntry(backup, now),
    entry('mail', mail, [], { detail: mail.reason === 'mailFailed' ? (mailFailure?.reason ?? '') : '' }),
    entry('messages', judgeMessages(deliveries), [
      single('delivered', deliveries.delivered),
      single('failed', deliveries.failed),
    ]),
    entry('auditLog', judgeAuditLog(facts.auditUnchainedSince, now), []),
  ];
}

function backupEntry(backup: SlowFacts['backup'], now: number): HealthEntry {
  const taken =
    backup.goodAt === null ? [] : [single('lastBackup', backup.goodAt), single('backupBytes', backup.bytes)];
  const figures = backup.checkedAt === null ? taken : [...taken, single('lastBackupCheck', backup.checkedAt)];
  return entry('backup', judgeBackup(backup, now), figures);
}
