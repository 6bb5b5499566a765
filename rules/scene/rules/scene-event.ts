// What a rule of edge intelligence says has happened, and the log of one region that keeps starts and ends in pairs.
import type { RaisedAlarmType } from '@vedette/contract/alarm-types.ts';
import type { ObjectClass } from '@vedette/contract/enumerations.ts';
import type { Box } from '../detection/detection.ts';
import type { Track } from '../tracking/track.ts';

export interface SceneEvent {
  readonly taskId: string;
  readonly type: RaisedAlarmType;
  /** `pulse`: at one instant, without an end. */
  readonly phase: 'start' | 'end' | 'pulse';
  /** Equal for a start and its end; of one task, region and what the alarm is about. Between a start and its end no other start has it. */
  readonly key: string;
  /** Capture time of the frame, ms. */
  readonly atMs: number;
  readonly regionId: string;
  /** The object as it was then; in an end, as it was at the start. Null: about several. */
  readonly track: EventTrack | null;
  /** Across a line. */
  readonly direction: 'in' | 'out' | null;
  /** Across this line since the task began, this one included. */
  readonly count: { readonly in: number; readonly out: number } | null;
}

export interface EventTrack {
  readonly trackId: number;
  readonly objectClass: ObjectClass;
  /** Median of the track, 0 to 1. */
  readonly score: number;
  readonly box: Box;
}

/** What of an event its rule decides. */
export type EventDetail = Pick<SceneEvent, 'type' | 'atMs'> & {
  readonly track?: Track;
  readonly direction?: 'in' | 'out';
  readonly count?: { readonly in: number; readonly out: number };
};

export class RegionEvents {
  readonly #taskId: string;
  readonly #regionId: string;
  /** Starts without an end, by key. */
  readonly #open = new Map<string, SceneEvent>();
  #new: SceneEvent[] = [];

  constructor(taskId: string, regionId: string) {
    this.#taskId = taskId;
    this.#regionId = regionId;
  }

  /** `about`: what tells alarms of this region apart, such as the id of a track. */
  isOpen(about: string | number): boolean {
    return this.#open.has(this.#keyOf(about));
  }

  pulse(about: string | number, detail: EventDetail): void {
    this.#new.push(this.#eventOf('pulse', about, detail));
  }

  /** Nothing happens where it is open already. */
  start(about: string | number, detail: EventDetail): void {
    if (this.isOpen(about)) return;
    const event = this.#eventOf('start', about, detail);
    this.#open.set(event.key, event);
    this.#new.push(event);
  }

  /** Nothing happens where it is not open. */
  end(about: string | number, atMs: number): void {
    const start = this.#open.get(this.#keyOf(about));
    if (start !== undefined) this.#end(start, atMs);
  }

  endAll(atMs: number): void {
    for (const start of this.#open.values()) this.#end(start, atMs);
  }

  /** Events since the last call, in their order. */
  take(): SceneEvent[] {
    const taken = this.#new;
    this.#new = [];
    return taken;
  }

  #end(start: SceneEvent, atMs: number): void {
    this.#open.delete(start.key);
    this.#new.push({ ...start, phase: 'end', atMs });
  }

  #keyOf(about: string | number): string {
    return `${this.#taskId}/${this.#regionId}/${about}`;
  }

  #eventOf(phase: SceneEvent['phase'], about: string | number, detail: EventDetail): SceneEvent {
    return {
      taskId: this.#taskId,
      type: detail.type,
      phase,
      key: this.#keyOf(about),
      atMs: detail.atMs,
      regionId: this.#regionId,
      track: detail.track === undefined ? null : eventTrack(detail.track),
      direction: detail.direction ?? null,
      count: detail.count ?? null,
    };
  }
}

function eventTrack({ trackId, objectClass, medianScore, box }: Track): EventTrack {
  return { trackId, objectClass, score: medianScore, box };
}
