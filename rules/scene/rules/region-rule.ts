// What each rule of edge intelligence is: it looks at the tracks of every frame, and writes events of its region.
import type { AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import type { RegionEvents } from './scene-event.ts';
import type { Track } from '../tracking/track.ts';

/** One frame, as the rules of one task see it. */
export interface TaskView {
  readonly atMs: number;
  /** Width over height of the frame. */
  readonly aspect: number;
  /** Of the task's classes, the not yet confirmed too: where they were seen first tells from where they came. */
  readonly tracks: readonly TaskTrack[];
  /** People in the newest frame, whether the task is about them or not. */
  readonly people: readonly Track[];
  /** Nothing is known of what was before: tracks that are gone have not left. */
  readonly isAnew: boolean;
}

export interface TaskTrack extends Track {
  /** The task asks for such an object: by score and size, and no mask covers its place. */
  readonly isWanted: boolean;
}

export interface RegionRule {
  step(view: TaskView): void;
  /** Time or another frame decides something, though nothing may move. */
  readonly isWaiting: boolean;
}

export interface RuleSetting {
  readonly order: AnalysisOrder;
  readonly events: RegionEvents;
}
