// The site's health as the operator sees it: storage, and each stream with its state and counters.
import type { SiteHealth } from '@vedette/contract/site/site.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { SharedStream } from '@vedette/media/stream/shared-stream.ts';
import type { StreamHub } from '@vedette/media/stream/hub.ts';
import type { ChannelRecorder } from './recording/channel-recorder.ts';
import type { EventSpool } from './state/event-spool.ts';
import type { Fleet } from './supervision/fleet.ts';
import type { MotionMonitor } from './motion/motion-monitor.ts';
import type { DriverHost } from './driver-host/driver-host.ts';
import type { LoopDelay } from './core/loop-delay.ts';
import type { RtspListener } from './media/rtsp-listener.ts';
import type { SiteStorage } from './recording/site-storage.ts';
import type { ProcessFacts } from './process/process-facts.ts';
import { parseStreamKey } from './core/stream-key.ts';

export interface SiteHealthOptions {
  readonly hub: StreamHub;
  readonly fleet: Fleet;
  readonly storage: SiteStorage;
  readonly spool: EventSpool;
  readonly clock: Clock;
  readonly rtsp: Pick<RtspListener, 'health'>;
  readonly drivers: Pick<DriverHost, 'health'>;
  readonly loopDelay: Pick<LoopDelay, 'maxMs'>;
  readonly processFacts: Pick<ProcessFacts, 'read'>;
  readonly motionMonitor: Pick<MotionMonitor, 'isCovered'>;
}

export function siteHealth(options: SiteHealthOptions): SiteHealth {
  const { hub, fleet, storage, spool, clock, rtsp, motionMonitor, drivers, loopDelay } = options;
  const { restarts: driverRestarts, quarantined } = drivers.health;
  const recorders = new Map(
    fleet.devices().flatMap((device) => device.recorders.all().map((one) => [one.streamKey, one] as const)),
  );
  return {
    storage: storage.health(),
    events: {
      waiting: spool.pending().length,
      dropped: spool.dropped,
      heldBack: fleet.devices().reduce((sum, { supervisor }) => sum + supervisor.droppedEvents, 0),
    },
    restream: rtsp.health() ?? null,
    loops: { delayMaxMs: loopDelay.maxMs, driverRestarts, barred: quarantined },
    process: options.processFacts.read(),
    streams: hub.streams().flatMap((stream) => {
      const parsed = parseStreamKey(stream.key);
      if (!parsed) return [];
      const isCovered = motionMonitor.isCovered(parsed.deviceSerial, parsed.channelNo);
      const counters = {
        ...countersOf(stream, recorders.get(stream.key)),
        ...(isCovered === null ? {} : { pictureCovered: isCovered ? 1 : 0 }),
      };
      return [{ ...parsed, ...streamFacts(stream, clock, recorders.get(stream.key)), counters }];
    }),
  };
}

function streamFacts(stream: SharedStream, clock: Clock, recorder: ChannelRecorder | undefined) {
  const { currentState, lastVideoMs } = stream;
  const ageMs = lastVideoMs === null ? null : clock.monotonicMs() - lastVideoMs;
  const awaited = stream.isAwaitingKeyframe || recorder?.isAwaitingKeyframe ? 'no-key-picture' : null;
  return {
    state: currentState.state,
    reason: currentState.state === 'failed' ? currentState.reason : awaited,
    lastFrameAt: ageMs === null || lastVideoMs === 0 ? null : Math.round(clock.wallMs() - ageMs),
  };
}

function countersOf(stream: SharedStream, recorder: ChannelRecorder | undefined): Record<string, number> {
  const { source, ...own } = stream.counters();
  const counters: Record<string, number> = { ...own };
  for (const [name, value] of Object.entries(source)) if (typeof value === 'number') counters[name] = value;
  if (!recorder) return counters;
  const { loss, counters: recorded } = recorder.report();
  for (const [name, value] of Object.entries(recorded)) counters[`recorder.${name}`] = value;
  counters['recorder.lossMaxMs'] = Math.round(loss.maxMs);
  // Above the last bucket of the histogram only the maximum is known.
  counters['recorder.lossP99Ms'] = loss.p99Ms ?? Math.round(loss.maxMs);
  return counters;
}
