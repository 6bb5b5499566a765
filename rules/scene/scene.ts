// What happens in the view of one channel: follows the objects that a detector found, and applies the rules of all its tasks.
import type { ObjectClass } from '@vedette/contract/enumerations.ts';
import type { AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import type { SceneEvent } from './rules/scene-event.ts';
import { SceneTask } from './scene-task.ts';
import { aspectOf, frameOrder, Tracker, type SceneFrame } from './tracking/tracker.ts';
import { trackNow, type Track } from './tracking/track.ts';

/**
 * Orders' weekly plans are not looked at: a scene has the orders that are in force. Regions that are none (a zone of two
 * points, a line without length) do nothing.
 */
export class Scene {
  readonly #tasks: readonly SceneTask[];
  /** That tasks are about: no others are followed. */
  readonly classes: ReadonlySet<ObjectClass>;
  readonly #tracker = new Tracker();
  #lastMs: number | null = null;

  constructor(orders: readonly AnalysisOrder[]) {
    // In an order of their own, so that that of `orders` does not matter.
    const sorted = orders.toSorted((one, other) => (one.taskId < other.taskId ? -1 : 1));
    this.#tasks = sorted.map((order) => new SceneTask(order));
    // A bag is left where no person is at it.
    const people = orders.some(({ algorithm }) => algorithm === 'objectLeft') ? ['person' as const] : [];
    this.classes = new Set([...orders.flatMap(({ classes }) => classes), ...people]);
  }

  /** Confirmed objects of the newest frame, of the classes that tasks are about. */
  get tracks(): readonly Track[] {
    return this.#tracker.tracks.filter(({ isConfirmed, isSeen }) => isConfirmed && isSeen).map(trackNow);
  }

  /** All that are followed, also those that are not seen in the newest frame. */
  get living(): readonly Track[] {
    return this.#tracker.tracks.map(trackNow);
  }

  /** Something moves, or waits for time or a further frame: every frame is wanted. What stands still needs keyframes alone. */
  get isBusy(): boolean {
    return this.#tracker.tracks.some((track) => !track.isStationary) || this.#tasks.some((task) => task.isWaiting);
  }

  /**
   * Events of one frame. Frames that are not newer than the last one are left out. Where the clock jumps backwards or by
   * more than ten minutes, all that is open ends at the last frame before, and tracks start anew; counts go on.
   */
  step(frame: SceneFrame): readonly SceneEvent[] {
    const order = frameOrder(this.#lastMs, frame.atMs);
    if (order === 'late') return [];
    const ended = order === 'anew' && this.#lastMs !== null ? this.end(this.#lastMs) : [];
    this.#lastMs = frame.atMs;
    const detections = frame.detections.filter(({ objectClass }) => this.classes.has(objectClass));
    const tracks = this.#tracker.step({ ...frame, detections }).map(trackNow);
    const view = {
      atMs: frame.atMs,
      aspect: aspectOf(frame),
      tracks,
      people: tracks.filter(({ objectClass, isSeen }) => objectClass === 'person' && isSeen),
      isAnew: order === 'anew',
    };
    return [...ended, ...this.#tasks.flatMap((task) => task.step(view))];
  }

  /** Ends what is open. No end is earlier than the last frame. */
  end(atMs: number): readonly SceneEvent[] {
    const endMs = Number.isFinite(atMs) ? Math.max(atMs, this.#lastMs ?? atMs) : (this.#lastMs ?? 0);
    return this.#tasks.flatMap((task) => task.end(endMs));
  }
}
