// Crowd density: low, middle or high, by how many objects are in a zone, without flicker.
import type { AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import type { SceneZone } from './region-geometry.ts';
import type { RegionRule, RuleSetting, TaskView } from './region-rule.ts';
import { ZonePresence } from './zone-presence.ts';

/** Frames of which the median counts: a detector misses one in ten people. */
const FRAMES = 5;
/** Time below a level after which it has ended. */
const FALLS_AFTER_MS = 5000;
/** In the order of the levels. */
const TYPES = ['CrowdDensityLow', 'CrowdDensityMiddle', 'CrowdDensityHigh'] as const;

type DensityType = (typeof TYPES)[number];

export class CrowdDensityRule implements RegionRule {
  readonly #presence: ZonePresence;
  readonly #levels: AnalysisOrder['densityLevels'];
  readonly #events: RuleSetting['events'];
  /** Objects in the newest frames. */
  #counts: number[] = [];
  /** Open; null: fewer than low. */
  #type: DensityType | null = null;
  #lowerSinceMs: number | null = null;

  constructor(zone: SceneZone, { order, events }: RuleSetting) {
    this.#presence = new ZonePresence(zone);
    this.#levels = order.densityLevels;
    this.#events = events;
  }

  get isWaiting(): boolean {
    return this.#lowerSinceMs !== null || this.#counts.some((count) => count !== this.#counts[0]);
  }

  step(view: TaskView): void {
    if (view.isAnew) [this.#counts, this.#lowerSinceMs] = [[], null];
    const stays = this.#presence.step(view);
    const count = stays.filter(({ isInside, track }) => isInside && track.isWanted && track.isSeen).length;
    this.#counts = [...this.#counts, count].slice(-FRAMES);
    if (this.#counts.length < FRAMES) return;
    // Where the scene began anew, the alarms of before have ended.
    if (this.#type !== null && !this.#events.isOpen(this.#type)) this.#type = null;
    this.#follow(this.#typeNow(), view.atMs);
  }

  #typeNow(): DensityType | null {
    const median = this.#counts.toSorted((one, other) => one - other)[(FRAMES - 1) / 2] ?? 0;
    const reached = this.#levels.filter((level) => median >= level).length;
    return TYPES[reached - 1] ?? null;
  }

  #follow(type: DensityType | null, atMs: number): void {
    if (rank(type) >= rank(this.#type)) this.#lowerSinceMs = null;
    else this.#lowerSinceMs ??= atMs;
    const hasFallen = this.#lowerSinceMs !== null && atMs - this.#lowerSinceMs >= FALLS_AFTER_MS;
    if (type === this.#type || (rank(type) < rank(this.#type) && !hasFallen)) return;
    if (this.#type !== null) this.#events.end(this.#type, atMs);
    if (type !== null) this.#events.start(type, { type, atMs });
    this.#type = type;
    this.#lowerSinceMs = null;
  }
}

function rank(type: DensityType | null): number {
  return type === null ? -1 : TYPES.indexOf(type);
}
