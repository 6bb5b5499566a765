// Media: live, CDN, playback, recordings and their marks, edge intelligence, exports, PTZ, talk and layouts.
import type { SnapshotCopies } from '../alarm-snapshot/snapshot-copies.ts';
import { analysisModelHandlers } from '../features/analysis/analysis-model.handlers.ts';
import { analysisTaskHandlers } from '../features/analysis/analysis-task.handlers.ts';
import { taskReplayHandlers } from '../features/analysis/task-replay.handlers.ts';
import { cdnCodeHandlers } from '../features/cdn/cdn-code.handlers.ts';
import { cdnLiveHandlers } from '../features/cdn/cdn-live.handlers.ts';
import { CdnMeter } from '../features/cdn/cdn-meter.ts';
import { cdnProviderHandlers } from '../features/cdn/cdn-provider.handlers.ts';
import { cloudPlanHandlers } from '../features/cloud/cloud-plan.handlers.ts';
import { objectStoreHandlers } from '../features/cloud/object-store.handlers.ts';
import { layoutHandlers } from '../features/layout/layout.handlers.ts';
import { mediaHandlers } from '../features/media/media.handlers.ts';
import { patrolHandlers } from '../features/ptz/patrol.handlers.ts';
import { presetHandlers } from '../features/ptz/preset.handlers.ts';
import { PtzLeases } from '../features/ptz/ptz-leases.ts';
import { ptzHandlers } from '../features/ptz/ptz.handlers.ts';
import { ExportService } from '../features/record-export/export-service.ts';
import { recordExportHandlers } from '../features/record-export/record-export.handlers.ts';
import { LockRevalidator } from '../features/record/lock-revalidator.ts';
import { manualRecordingHandlers } from '../features/record/manual-recording.handlers.ts';
import { gapHandlers } from '../features/record/gap.handlers.ts';
import { planHandlers } from '../features/record/plan.handlers.ts';
import { recordHandlers } from '../features/record/record.handlers.ts';
import { recordingMarkHandlers } from '../features/record/recording-mark.handlers.ts';
import { SightingRetention } from '../features/sighting/sighting-retention.ts';
import { sightingHandlers } from '../features/sighting/sighting.handlers.ts';
import { talkHandlers } from '../features/talk/talk.handlers.ts';
import { begun } from '../work-lease/begun.ts';
import type { Core } from './core.ts';
import type { SiteModule } from './site-module.ts';

export function mediaModule(
  core: Core,
  sites: Pick<SiteModule, 'site' | 'assignmentSync' | 'tickets'>,
  snapshotCopies: SnapshotCopies,
) {
  const { database, clock, log, sessions, hub, revocations } = core;
  const { site, assignmentSync, tickets } = sites;
  const leases = new PtzLeases({ database, sessions, clock, log, site, hub });
  hub.pageClosed.subscribe((sessionId) => leases.pageClosed(sessionId));
  const exportService = new ExportService({ ...core, site });
  site.whenConnected((siteId) => exportService.siteConnected(siteId));
  const lockRevalidator = new LockRevalidator({ database, clock, log, assignmentSync });
  revocations.subscribe((rows) => exportService.applyRevocations(rows));
  revocations.subscribe((rows) => lockRevalidator.applyRevocations(rows));
  const cdnMeter = new CdnMeter({ ...core, site });
  core.leases.keep('retention of sightings', ({ database: held }) =>
    begun(new SightingRetention({ database: held, clock, log })),
  );
  const deps = { ...core, site, assignmentSync, tickets, leases, exportService, snapshotCopies };
  return {
    calls: {
      ...mediaHandlers(deps),
      ...layoutHandlers(deps),
      ...recordHandlers(deps),
      ...gapHandlers(deps),
      ...recordingMarkHandlers(deps),
      ...planHandlers(deps),
      ...manualRecordingHandlers(deps),
      ...recordExportHandlers(deps),
      ...ptzHandlers(deps),
      ...presetHandlers(deps),
      ...patrolHandlers(deps),
      ...talkHandlers(deps),
      ...cdnProviderHandlers(deps),
      ...cdnLiveHandlers(deps),
      ...cdnCodeHandlers(deps),
      ...objectStoreHandlers(deps),
      ...cloudPlanHandlers(deps),
      ...analysisTaskHandlers(deps),
      ...analysisModelHandlers(deps),
      ...taskReplayHandlers(deps),
      ...sightingHandlers(deps),
    },
    start: () => {
      exportService.start();
      lockRevalidator.start();
      cdnMeter.start();
    },
    close: () => {
      exportService.close();
      lockRevalidator.close();
      cdnMeter.close();
      leases.close();
    },
  };
}
