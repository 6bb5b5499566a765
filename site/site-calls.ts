// The site's call handlers, one per call of the server; errors become codes of the contract.
import { ERROR_CODES, SUCCESS } from '@vedette/contract/errors.ts';
import { channelUses } from '@vedette/media/recordings/disks/storage-use.ts';
import type { SiteCallName, SiteCalls, SiteHealth } from '@vedette/contract/site/site.ts';
import { DeviceFault, deviceError } from '@vedette/drivers/kit/device-fault.ts';
import { ExportError } from '@vedette/media/export/export-error.ts';
import type { Exports } from '@vedette/media/export/exports.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Snapshots } from '@vedette/media/snapshot/snapshots.ts';
import type { StorageCondition } from '@vedette/media/recordings/storage-folder.ts';
import { isChannelId } from '@vedette/media/recordings/recording-path.ts';
import { type AssignmentCache, runningOf } from './state/assignment-cache.ts';
import type { Backfill } from './backfill/backfill.ts';
import type { EdgeRecordings } from './edge-playback/edge-recordings.ts';
import type { Analysis } from './analysis/analysis.ts';
import type { TaskReplays } from './analysis/replay/task-replays.ts';
import type { CdnPushes } from './cdn-live/cdn-pushes.ts';
import type { CloudStorage } from './cloud-storage/cloud-storage.ts';
import { exportCalls } from './media/export-calls.ts';
import { CallRefusal } from './core/call-refusal.ts';
import { type MaintenanceCallsOptions, maintenanceCalls } from './calls/maintenance-calls.ts';
import { configCalls } from './calls/config-calls.ts';
import { BadTarget, type Candidates, toSiteStream } from './onboarding/candidates.ts';
import type { Fleet, FleetDevice } from './supervision/fleet.ts';
import { type FormatOf, StreamFacts } from './media/stream-facts.ts';
import { snapshotCalls } from './calls/snapshot-calls.ts';
import type { MotionSettings } from './motion/motion-settings.ts';
import { type PtzCallsOptions, ptzCalls } from './calls/ptz-calls.ts';
import { recordingCalls } from './calls/recording-calls.ts';
import { scanCalls } from './calls/scan-calls.ts';
import type { Scans } from './onboarding/scans.ts';
import type { CallAnswer } from './connection/server-connection.ts';
import type { SiteRole } from './site-role.ts';
import type { SiteStorage } from './recording/site-storage.ts';
import type { TalkSessions } from './media/talk-sessions.ts';
import type { TicketRegistry } from './tickets/ticket-registry.ts';

export interface SiteCallsOptions extends PtzCallsOptions, MaintenanceCallsOptions {
  readonly clock: Clock;
  readonly cache: AssignmentCache;
  readonly fleet: Fleet;
  readonly storage: SiteStorage;
  readonly cdnPushes: CdnPushes;
  readonly cloudStorage: CloudStorage;
  readonly analysis: Analysis;
  readonly taskReplays: TaskReplays;
  readonly tickets: TicketRegistry;
  readonly candidates: Candidates;
  readonly scans: Scans;
  readonly backfill: Backfill;
  readonly edgeRecordings: EdgeRecordings;
  readonly exports: Exports;
  readonly talk: TalkSessions;
  readonly snapshots: Snapshots;
  readonly motion: MotionSettings | null;
  readonly role: Pick<SiteRole, 'calls'>;
  readonly formatOf: FormatOf;
  readonly health: () => SiteHealth;
  /** Ends live subscriptions of these tickets; returns how many. */
  readonly endLive: (ticketIds: ReadonlySet<string>, code: number) => number;
  readonly onFault: (name: string, error: unknown) => void;
}

type Handlers = { [N in SiteCallName]: (input: SiteCalls[N]['input']) => Promise<SiteCalls[N]['output']> };

const DEVICE_CALL_MS = 7000;

export function createSiteCalls(
  options: SiteCallsOptions,
): (name: SiteCallName, input: unknown) => Promise<CallAnswer> {
  const handlers: Handlers = {
    ...assignmentCalls(options),
    ...ticketCalls(options),
    ...deviceCalls(options),
    ...recordingCalls(options),
    ...options.edgeRecordings.calls,
    ...options.cdnPushes.calls,
    ...options.cloudStorage.calls,
    ...options.analysis.calls,
    ...options.taskReplays.calls,
    ...ptzCalls(options),
    ...configCalls(options),
    ...maintenanceCalls(options),
    ...scanCalls(options.scans),
    ...options.role.calls,
    health: async () => options.health(),
    storageUse: async () => ({
      channels: channelUses(options.storage.recordings.store.tracks, options.clock.wallMs()),
    }),
    ...exportCalls(options.exports),
    ...snapshotCalls({ fleet: options.fleet, snapshots: options.snapshots, wallMs: () => options.clock.wallMs() }),
    talk: options.talk.ask,
  };
  return async (name, input) => {
    const handler = handlers[name] as ((input: unknown) => Promise<unknown>) | undefined;
    if (!handler) return { code: ERROR_CODES.functionNotSupported, data: null };
    try {
      return { code: SUCCESS, data: await handler(input) };
    } catch (error) {
      return answerOf(error, (unexpected) => options.onFault(name, unexpected));
    }
  };
}

function answerOf(error: unknown, onFault: (error: unknown) => void): CallAnswer {
  if (error instanceof DeviceFault) return deviceError(error);
  if (error instanceof CallRefusal) return { code: error.code, data: error.data };
  if (error instanceof ExportError) return { code: error.code, data: null };
  if (error instanceof BadTarget) return { code: ERROR_CODES.paramInvalid, data: { target: 'format' } };
  if (error instanceof RangeError) return { code: ERROR_CODES.paramInvalid, data: null };
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return { code: ERROR_CODES.devResponseTimeOut, data: { reason: 'timeout' } };
  }
  onFault(error);
  return { code: ERROR_CODES.serverInternalError, data: null };
}

function assignmentCalls({ cache, fleet, storage, backfill, cloudStorage, analysis }: SiteCallsOptions) {
  return {
    assign: async ({ devices, settings }: SiteCalls['assign']['input']) => {
      await changeStorage({ cache, fleet, storage }, settings, false);
      await cache.replaceAll(devices, settings);
      storage.setRetention(devices);
      cloudStorage.assign(devices);
      const running = runningOf(devices);
      analysis.assign(running);
      await fleet.replaceAll(running);
      backfill.plan(running);
      return {};
    },
    assignOne: async ({ deviceSerial, assignment, deleteRecordings }: SiteCalls['assignOne']['input']) => {
      await cache.replaceOne(deviceSerial, assignment);
      storage.setRetention(cache.devices);
      cloudStorage.assign(cache.devices);
      analysis.assign(cache.running);
      await fleet.replaceOne(deviceSerial, assignment?.isElsewhere === true ? null : assignment);
      backfill.plan(cache.running);
      await backfill.stopped(deleteRecordings);
      for (const channelId of deleteRecordings.filter(isChannelId)) await storage.removeChannel(channelId);
      return {};
    },
    settings: async (settings: SiteCalls['settings']['input']) => {
      await changeStorage({ cache, fleet, storage }, settings, true);
      // A change of the folder alone says nothing of stores.
      await cache.replaceSettings({ ...cache.settings, ...settings });
      cloudStorage.assign(cache.devices);
      return { storage: storage.health() };
    },
  };
}

/** `mustWork`: an unwritable folder is refused with 1003 at its field, with the reason, and nothing changes. */
async function changeStorage(
  { fleet, storage }: Pick<SiteCallsOptions, 'cache' | 'fleet' | 'storage'>,
  settings: SiteCalls['settings']['input'],
  mustWork: boolean,
): Promise<void> {
  if (mustWork) {
    const refused = await storage.tryNew(settings);
    if (refused) throw refusedDisk(refused.at, refused.condition);
  }
  if (!storage.isOther(settings)) {
    await storage.follow(settings);
    return;
  }
  const opened = storage.create(settings);
  if (mustWork) {
    await opened.open();
    const { state } = opened.condition;
    if (state !== 'normal' && state !== 'full') {
      await opened.close();
      throw refusedDisk(0, opened.condition);
    }
  }
  await fleet.pauseRecording();
  await storage.exchange(opened);
  await fleet.resumeRecording();
}

function refusedDisk(at: number, { reason }: StorageCondition): CallRefusal {
  return new CallRefusal(ERROR_CODES.paramInvalid, { [at === 0 ? 'folder' : `moreDisks.${at - 1}.folder`]: reason });
}

function ticketCalls({ tickets, endLive }: SiteCallsOptions) {
  return {
    ticket: async ({ grants }: SiteCalls['ticket']['input']) => {
      tickets.add(grants);
      return {};
    },
    revoke: async ({ ticketIds, code }: SiteCalls['revoke']['input']) => {
      endLive(new Set(ticketIds), code);
      return { closed: tickets.revoke(ticketIds, code) };
    },
    tickets: async () => ({ ticketIds: tickets.ids() }),
  };
}

function deviceCalls({ fleet, candidates, formatOf }: SiteCallsOptions) {
  const facts = new StreamFacts(formatOf);
  const find = (deviceSerial: string): FleetDevice => {
    const device = fleet.device(deviceSerial);
    if (!device) throw new CallRefusal(ERROR_CODES.devNotExist);
    return device;
  };
  return {
    probe: (input: SiteCalls['probe']['input']) => candidates.probe(input),
    admits: async ({ deviceSerial }: SiteCalls['admits']['input']) => {
      await find(deviceSerial).supervisor.driver.check(AbortSignal.timeout(DEVICE_CALL_MS));
      return {};
    },
    reboot: async ({ deviceSerial }: SiteCalls['reboot']['input']) => {
      const { driver } = find(deviceSerial).supervisor;
      if (!driver.reboot) throw new CallRefusal(ERROR_CODES.functionNotSupported);
      await driver.reboot(AbortSignal.timeout(DEVICE_CALL_MS));
      return {};
    },
    keyframe: async ({ deviceSerial, channelNo, quality }: SiteCalls['keyframe']['input']) => {
      const signal = AbortSignal.timeout(DEVICE_CALL_MS);
      const channel = await find(deviceSerial).supervisor.driver.channel(channelNo, signal);
      if (!channel.keyframe) throw new CallRefusal(ERROR_CODES.functionNotSupported);
      await channel.keyframe(quality, signal);
      return {};
    },
    streams: async ({ deviceSerial, channelNo }: SiteCalls['streams']['input']) => {
      const { driver } = find(deviceSerial).supervisor;
      const description = await driver.describe(AbortSignal.timeout(DEVICE_CALL_MS));
      const channel = description.channels.find((one) => one.channelNo === channelNo);
      if (!channel) throw new CallRefusal(ERROR_CODES.devNotExist);
      const { streams, hasChanged } = facts.follow(deviceSerial, channelNo, channel.streams.map(toSiteStream));
      if (hasChanged) driver.refresh();
      return { streams };
    },
    capabilities: async ({ deviceSerial, channelNo }: SiteCalls['capabilities']['input']) => {
      const description = await find(deviceSerial).supervisor.driver.describe(AbortSignal.timeout(DEVICE_CALL_MS));
      if (channelNo === null) return { capabilities: description.capabilities };
      const channel = description.channels.find((one) => one.channelNo === channelNo);
      return { capabilities: [...description.channelCapabilities, ...(channel?.capabilities ?? [])] };
    },
  };
}
