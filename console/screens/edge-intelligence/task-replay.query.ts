// A task that is run over recordings, as the editor follows it: asked for each second, and ended with the page.
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import type { ReplayedEvent } from '@vedette/contract/calls/task-replay.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { wait } from '@vedette/foundation/time/wait.ts';
import { cameraOfKey } from '@vedette/rules/camera-key.ts';
import { useEffect, useState } from 'react';
import type { Caller } from '../../calls/caller.ts';
import { useServices } from '../../services/services.ts';
import { replayInput, type TaskDraft } from './task-draft.ts';

type Answer = CallOutput<'ai/replay/get'>;

export interface ReplayProgress extends Omit<Answer, 'eventList'> {
  readonly events: readonly ReplayedEvent[];
}

/** What was asked for, as it was then. */
export interface ReplayRun {
  readonly draft: TaskDraft;
  readonly startTime: number;
  readonly endTime: number;
}

export interface TaskReplay {
  readonly run: ReplayRun | null;
  /** Null before the first answer. */
  readonly progress: ReplayProgress | null;
  /** Of a call; null: none failed. */
  readonly failure: unknown;
  readonly start: (draft: TaskDraft, lengthMs: number) => void;
  /** What was found stays. */
  readonly stop: () => void;
  readonly isRunning: boolean;
}

const AGAIN_MS = 1000;

export function useTaskReplay(): TaskReplay {
  const { caller, clock } = useServices();
  const [run, setRun] = useState<ReplayRun | null>(null);
  const [progress, setProgress] = useState<ReplayProgress | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [isRunning, setRunning] = useState(false);
  useEffect(() => {
    if (run === null || !isRunning) return;
    const leaving = new AbortController();
    follow({ caller, clock, run, signal: leaving.signal, onProgress: setProgress }).then(
      () => setRunning(false),
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        setFailure(error);
        setRunning(false);
      },
    );
    const leave = (): void => leaving.abort();
    window.addEventListener('pagehide', leave, { once: true });
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [caller, clock, run, isRunning]);
  return {
    run,
    progress,
    failure,
    isRunning,
    start: (draft, lengthMs) => {
      const endTime = clock.wallMs();
      setRun({ draft, startTime: endTime - lengthMs, endTime });
      setProgress(null);
      setFailure(null);
      setRunning(true);
    },
    stop: () => setRunning(false),
  };
}

interface Following {
  readonly caller: Caller;
  readonly clock: Clock;
  readonly run: ReplayRun;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ReplayProgress) => void;
}

/** Until it is over, or the page leaves: the site then forgets it. */
async function follow({ caller, clock, run, signal, onProgress }: Following): Promise<void> {
  const place = cameraOfKey(run.draft.camera ?? '');
  const silent = { showError: false } as const;
  const { replayId } = await caller.ask('ai/replay/start', replayInput(run), silent);
  const stop = (): void =>
    void caller.send('ai/replay/stop', { ...place, replayId }, { ...silent, keepalive: true }).catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  let events: readonly ReplayedEvent[] = [];
  while (!signal.aborted) {
    const asked = { ...place, replayId, from: events.length };
    const { eventList, ...answer } = await caller.ask('ai/replay/get', asked, { ...silent, signal });
    events = [...events, ...eventList];
    onProgress({ ...answer, events });
    const isBehind = events.length < answer.total;
    if (answer.state !== 'running' && !isBehind) break;
    if (!isBehind) await wait(clock, AGAIN_MS, signal);
  }
  signal.removeEventListener('abort', stop);
  stop();
}
