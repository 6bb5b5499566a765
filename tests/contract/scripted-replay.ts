// Replays of a scripted site: what it was told to run, and what it says of it.
import type { ReplayCalls, ReplayProgress } from '@vedette/contract/site/site-replay.ts';

export class ScriptedReplay {
  readonly orders: ReplayCalls['replayStart']['input'][] = [];
  readonly ended: string[] = [];
  /** Of each that was started. */
  progress: ReplayProgress = {
    state: 'running',
    fault: null,
    doneAt: 0,
    recordedMs: 0,
    doneMs: 0,
    frames: 0,
    events: [],
    total: 0,
  };

  readonly answers = {
    replayStart: (order: ReplayCalls['replayStart']['input']) => {
      this.orders.push(order);
      return { replayId: `replay-${this.orders.length}` };
    },
    replayGet: () => this.progress,
    replayStop: ({ replayId }: ReplayCalls['replayStop']['input']) => {
      this.ended.push(replayId);
      return {};
    },
  };
}
