// The events of one virtual device: what happens on it, who is subscribed, and the rules that watch its scenes.

import type { ChannelSettings } from '../device/channel-settings.ts';
import type { DevicePlan } from '../device/device-plan.ts';
import type { CameraPtz } from '../ptz/camera-ptz.ts';
import { sceneCatalogue } from '../scene/scene-catalogue.ts';
import type { StreamClock } from '../stream/live-stream.ts';
import { EventSource, type SourceTokens } from './event-source.ts';
import { PullPoints } from './pull-points.ts';
import { SceneAnalytics } from './scene-analytics.ts';
import { eventTopic } from './topic-catalogue.ts';

export interface DeviceEventsOptions {
  readonly plan: DevicePlan;
  readonly clock: StreamClock;
  readonly utcOffset: (utcMs: number) => number;
  readonly settingsOf: (channelNo: number) => ChannelSettings;
  readonly ptzOf: (channelNo: number) => CameraPtz | null;
  readonly tokensOf: (channelNo: number) => SourceTokens;
}

/** How the event service behaves at present. */
export interface EventBehaviour {
  maxPullPoints: number;
  /** As Axis does: one address for all subscriptions, told apart by a reference parameter. */
  hasReferenceParameters: boolean;
  /** Scenes are watched: off, only what the control port raises is told. */
  watchesScenes: boolean;
}

const SAMPLE_EVERY_MS = 200;

export class DeviceEvents {
  readonly behaviour: EventBehaviour = { maxPullPoints: 10, hasReferenceParameters: false, watchesScenes: true };
  readonly source: EventSource;
  readonly pullPoints: PullPoints;
  /** By channel, the first first. */
  readonly watches: readonly SceneAnalytics[];
  private readonly options: DeviceEventsOptions;
  private timer: NodeJS.Timeout | null = null;

  constructor(options: DeviceEventsOptions) {
    const { plan, clock, utcOffset, settingsOf, ptzOf, tokensOf } = options;
    this.options = options;
    this.source = new EventSource({ wallMs: () => clock.wallMs(), tokensOf });
    const { source, behaviour } = this;
    this.pullPoints = new PullPoints({
      source,
      monotonicMs: () => clock.monotonicMs(),
      limit: () => behaviour.maxPullPoints,
    });
    this.watches = plan.channels.map(({ scene, variant }, index) => {
      const channelNo = index + 1;
      const motion = () => settingsOf(channelNo).motion;
      const rules = () => settingsOf(channelNo).rules;
      const shown = { channelNo, scene: sceneCatalogue[scene], variant, utcOffset };
      return new SceneAnalytics({ ...shown, motion, rules, ptz: ptzOf(channelNo), source });
    });
    for (const topic of ['Trigger/DigitalInput', 'HardwareFailure/StorageFailure']) {
      this.source.introduce({ topic: eventTopic(`tns1:Device/${topic}`), channelNo: 0, key: null });
    }
  }

  start(): void {
    this.timer ??= setInterval(() => this.sample(), SAMPLE_EVERY_MS).unref();
  }

  /** Nobody is subscribed after it. */
  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    this.pullPoints.endAll();
  }

  /** Where nobody listens nothing is looked at: what is true when somebody comes is told as it is then. */
  private sample(): void {
    if (!this.behaviour.watchesScenes || !this.source.hasListeners) return;
    const now = this.options.clock.wallMs();
    for (const watch of this.watches) watch.sample(now);
  }
}
