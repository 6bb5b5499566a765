// Scene analytics of a channel: samples what moves and evaluates its rules, as a camera's analytics does.

import type { Motion } from '../device/channel-settings.ts';
import { classOf, defaultSceneRules, type Point, type SceneRule } from '../device/scene-rules.ts';
import type { CameraPtz } from '../ptz/camera-ptz.ts';
import { LIGHT_STEPS, nightStep } from '../scene/painting/lighting.ts';
import type { Look, Scene } from '../scene/painting/scene.ts';
import type { EventSource, SimulatedEvent } from './event-source.ts';
import { evaluateRule, type SeenActor, topicOf } from './rule-evaluator.ts';
import { type EventTopic, MOTION } from './topic-catalogue.ts';
import { Tracker } from './tracker.ts';

export interface SceneAnalyticsOptions {
  readonly channelNo: number;
  readonly scene: Scene;
  readonly variant: number;
  readonly utcOffset: (utcMs: number) => number;
  readonly motion: () => Motion;
  readonly rules?: () => readonly SceneRule[];
  /** Turns after what it follows. */
  readonly ptz?: CameraPtz | null;
  readonly source: EventSource;
}

/** The picture in units of the scene. */
const WIDTH = 320;
const HEIGHT = 180;
const COLUMNS = 22;
const ROWS = 18;
const SAMPLES_APART_MS = 1000;
/** Shares of the picture. */
const LEAST_MOVE = 1e-4;
/** Motion is over after so long without. */
const CALM_MS = 2000;

/** What a rule told last; `topic` null: it tells nothing. */
interface Told {
  readonly topic: EventTopic | null;
  isOn: boolean;
}

export class SceneAnalytics {
  private readonly options: SceneAnalyticsOptions;
  private readonly tracker: Tracker | null;
  /** Centres of the actors in sight at the last look. */
  private before = new Map<number, Point>();
  private sampledMs = -Infinity;
  private lastMotionMs = -Infinity;
  private isMoving = false;
  /** By name of the rule. */
  private readonly reported = new Map<string, Told>();

  constructor(options: SceneAnalyticsOptions) {
    this.options = options;
    this.tracker = options.ptz ? new Tracker(options.ptz) : null;
    options.source.introduce(this.about(MOTION, 'motion'));
    this.followRules();
  }

  /** Call it several times a second, with the device's time. */
  sample(utcMs: number): void {
    this.followRules();
    const seen = this.actors(utcMs);
    this.sampledMs = utcMs;
    this.decideMotion(
      utcMs,
      seen.some(({ at, from }) => from !== null && this.isWatched(at)),
    );
    for (const rule of this.rules) this.decide(rule, seen);
    const track = this.rules.find((rule) => rule.kind === 'ObjectTrack');
    this.tracker?.follow(track, seen, utcMs);
    this.before = new Map(seen.map(({ index, at }) => [index, at]));
  }

  private get rules(): readonly SceneRule[] {
    return this.options.rules?.() ?? defaultSceneRules;
  }

  /** New rules are introduced, those that were deleted are told to be gone. */
  private followRules(): void {
    const { source } = this.options;
    const now = new Map(this.rules.map((rule) => [rule.name, topicOf(rule)]));
    for (const [name, { topic }] of this.reported) {
      if (now.get(name) === topic) continue;
      this.reported.delete(name);
      if (topic !== null) source.remove(this.about(topic, name));
    }
    for (const [name, topic] of now) {
      if (this.reported.has(name)) continue;
      this.reported.set(name, { topic, isOn: false });
      if (topic?.isProperty === true) source.introduce(this.about(topic, name));
    }
  }

  private actors(utcMs: number): SeenActor[] {
    const { scene, variant, utcOffset } = this.options;
    // Where nobody looked for a while, nobody knows the way taken.
    const isFresh = utcMs - this.sampledMs <= SAMPLES_APART_MS;
    const localMs = utcMs + utcOffset(utcMs);
    const look: Look = { night: scene.indoor ? 0 : nightStep(localMs) / LIGHT_STEPS, variant };
    return scene.actors.flatMap((actor, index): SeenActor[] => {
      const placement = actor.place(localMs, look);
      const sprite = placement === null ? undefined : scene.sprites[placement.sprite];
      if (placement === null || sprite === undefined) return [];
      const at = { x: (placement.x + sprite.width / 2) / WIDTH, y: (placement.y + sprite.height / 2) / HEIGHT };
      if (at.x < 0 || at.x > 1 || at.y < 0 || at.y > 1) return [];
      const before = isFresh ? this.before.get(index) : undefined;
      const isMove = before !== undefined && Math.hypot(at.x - before.x, at.y - before.y) > LEAST_MOVE;
      return [{ index, at, is: classOf(placement.sprite), from: isMove ? before : null }];
    });
  }

  private decide(rule: SceneRule, seen: readonly SeenActor[]): void {
    const reported = this.reported.get(rule.name);
    if (reported === undefined || reported.topic === null) return;
    for (const verdict of evaluateRule(rule, seen)) {
      const about = this.about(reported.topic, rule.name);
      if (verdict.kind === 'crossed') this.options.source.raise({ ...about, data: verdict.data });
      else if (verdict.isOn !== reported.isOn) {
        reported.isOn = verdict.isOn;
        this.tell(about, verdict.isOn);
      }
    }
  }

  private isWatched({ x, y }: Point): boolean {
    const { isOn, cells } = this.options.motion();
    const column = Math.min(COLUMNS - 1, Math.floor(x * COLUMNS));
    const row = Math.min(ROWS - 1, Math.floor(y * ROWS));
    return isOn && cells[row * COLUMNS + column] === '1';
  }

  private decideMotion(utcMs: number, isSeen: boolean): void {
    if (isSeen) this.lastMotionMs = utcMs;
    const isMoving = isSeen || (this.isMoving && utcMs - this.lastMotionMs < CALM_MS);
    if (isMoving !== this.isMoving) this.tell(this.about(MOTION, 'motion'), isMoving);
    this.isMoving = isMoving;
  }

  private about(topic: SimulatedEvent['topic'], key: string): SimulatedEvent {
    return { topic, channelNo: this.options.channelNo, key };
  }

  private tell(happening: SimulatedEvent, isOn: boolean): void {
    if (isOn) this.options.source.raise(happening);
    else this.options.source.clear(happening);
  }
}
