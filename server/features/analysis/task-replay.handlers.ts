// Handlers of ai/replay/*: a task that is not saved, run by the site over recordings of its channel, under a ticket.
import { REPLAY_LIMITS } from '@vedette/contract/limits.ts';
import { authorizeDevice } from '../../auth/authorize.ts';
import { fieldError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { findRecordPlan } from '../../database/media/record-plan.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import { orderOf } from '../../site-link/analysis-orders.ts';
import type { SitesPort } from '../../site-link/site-port.ts';
import type { TicketIssuer } from '../../ticket/ticket-issuer.ts';
import { refuseBadScene, sceneColumns } from './task-scene.ts';

export interface TaskReplayDeps {
  readonly database: Database;
  readonly site: SitesPort;
  readonly tickets: TicketIssuer;
  /** Zone of this installation, where the device names none. */
  readonly timeZone: string;
}

type ReplayPath = 'ai/replay/start' | 'ai/replay/get' | 'ai/replay/stop';

/** Names the task in the order: it has no id yet. */
const UNSAVED = 'replay';

export function taskReplayHandlers({ database, site, tickets, timeZone }: TaskReplayDeps): Handlers<ReplayPath> {
  return {
    'ai/replay/start': async ({ input, rights, principal }) => {
      refuseBadScene(input);
      const { startTime, endTime, channelNo } = input;
      refuseBadRange(startTime, endTime);
      const device = await authorizeDevice(database, await rights(), 'Replay', input);
      const plan = await findRecordPlan(database, device.deviceId, channelNo);
      const order = orderOf({ ...sceneColumns(input), task_id: UNSAVED }, plan?.time_zone ?? timeZone);
      // The site reads whichever stream was recorded.
      const range = { kind: 'fragments', quality: 1, range: { startTime, endTime }, probeId: null } as const;
      const { ticket } = await tickets.issue({ ...range, action: 'Replay', principal, device, channelNo });
      return await site.at(device.siteId).call('replayStart', { ticket, order });
    },
    'ai/replay/get': async ({ input: { replayId, from }, device, principal }) => {
      const asked = { replayId, sessionId: principal.sessionId, from };
      const { doneAt, recordedMs, doneMs, events, ...progress } = await site.at(device.siteId).call('replayGet', asked);
      const eventList = events.map(({ at, ...event }) => ({ ...event, time: at }));
      return { ...progress, doneTime: doneAt, recordedLength: recordedMs, doneLength: doneMs, eventList };
    },
    'ai/replay/stop': async ({ input: { replayId }, device, principal }) => {
      const at = site.at(device.siteId);
      // A site that is away ends it by itself.
      if (at.isOnline()) await at.call('replayStop', { replayId, sessionId: principal.sessionId });
      return {};
    },
  };
}

function refuseBadRange(startTime: number, endTime: number): void {
  if (endTime <= startTime) throw fieldError({ endTime: 'tooSmall' });
  if (endTime - startTime > REPLAY_LIMITS.rangeMs) throw fieldError({ endTime: 'tooBig' });
}
