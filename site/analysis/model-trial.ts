// Tries a model out in an analyst process of its own: what it is, or why it is not run.
import { createInterface } from 'node:readline';
import type { ModelRefusal } from '@vedette/contract/enumerations.ts';
import type { AnalysisModel } from '@vedette/contract/site/site-analysis.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { analystAnswer } from '../analyst/frame-wire.ts';
import type { SpawnAnalyst } from './spawn-analyst.ts';

export interface ModelTrial {
  readonly clock: Pick<Clock, 'after'>;
  readonly spawn: SpawnAnalyst;
  readonly runtimeFolder: string;
  readonly modelFolder: string;
}

export type TriedModel =
  | { readonly model: AnalysisModel }
  | { readonly reason: ModelRefusal; readonly fault: string }
  /** The runtime is missing or damaged: it is not for the model. */
  | null;

/** A large model on a busy machine. */
const WITHIN_MS = 60_000;

/** Never rejects: what a model does to its process is the answer. */
export async function tryModel({ clock, spawn, runtimeFolder, modelFolder }: ModelTrial): Promise<TriedModel> {
  const child = spawn(runtimeFolder, modelFolder);
  const cancel = clock.after(WITHIN_MS, () => child.kill());
  try {
    for await (const line of createInterface({ input: child.output })) return triedModel(line);
    return { reason: 'trial', fault: 'the process ended or took too long' };
  } finally {
    cancel();
    child.kill();
  }
}

function triedModel(line: string): TriedModel {
  const answer = analystAnswer.safeParse(jsonOf(line)).data;
  if (answer?.event === 'ready' && answer.model) return { model: answer.model };
  if (answer?.event !== 'failed') return { reason: 'trial', fault: 'the process answered nonsense' };
  return answer.reason === null ? null : { reason: answer.reason, fault: answer.fault };
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
