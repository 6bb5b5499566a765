// Recorder groups: their calls, the watch over the silence of their sites, and the return of cameras.
import type { AlarmWriter } from '../features/alarm/alarm-writer.ts';
import { recorderGroupHandlers } from '../features/site/recorder-group.handlers.ts';
import type { SiteMeasures } from '../health/site-measures.ts';
import { TakeOverAlarms } from '../health/take-over-alarms.ts';
import type { AssignmentSync } from '../site-link/assignment-sync.ts';
import { DeviceFailback } from '../site-link/device-failback.ts';
import { RecorderWatch } from '../site-link/recorder-watch.ts';
import type { Sites } from '../site-link/sites.ts';
import type { Core } from './core.ts';

export interface RecorderGroupParts {
  readonly alarms: AlarmWriter;
  readonly site: Sites;
  readonly assignmentSync: AssignmentSync;
  readonly siteMeasures: SiteMeasures;
}

export function recorderGroupModule(
  { database, clock, log }: Core,
  { alarms, site, assignmentSync: sync, siteMeasures: measures }: RecorderGroupParts,
) {
  const deviceFailback = new DeviceFailback({ database, clock, log, sites: site, sync });
  const watch = new RecorderWatch({
    database,
    clock,
    log,
    sites: site,
    canStore: (siteId) => {
      const storage = measures.of(siteId, clock.wallMs())?.health.storage;
      return storage === undefined || storage.state === 'normal' || storage.state === 'full';
    },
    onMoved: (siteIds) => sync.devicesMoved(siteIds),
    onReturns: deviceFailback.bring,
    onBeat: new TakeOverAlarms({ database, clock, alarms }).look,
  });
  return {
    calls: recorderGroupHandlers({ database, site, deviceFailback }),
    start: () => watch.start(),
    close: async () => {
      deviceFailback.close();
      await watch.close();
    },
  };
}
