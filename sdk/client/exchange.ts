// One exchange with a server: a POST with a token, and the envelope that answers it.
import { NoAnswerError } from './call-error.ts';

/** `code` is 200 where the call was done; else `data` explains the code, for some codes. */
export interface Answer {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

export interface Exchange {
  /** Of the call, for errors. */
  readonly path: string;
  readonly address: string;
  readonly body: string | Blob;
  /** Media type of the body. */
  readonly type: string;
  /** Null where there is none. */
  readonly token: string | null;
  readonly timeoutMs?: number | undefined;
  /** Another `fetch`. */
  readonly send?: typeof fetch | undefined;
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 15_000;

/** @throws NoAnswerError where nothing comes in time, what `signal` was aborted for */
export async function exchange(order: Exchange): Promise<Answer> {
  const { path, signal } = order;
  let answer: unknown;
  try {
    answer = await answerOf(order);
  } catch (cause) {
    signal?.throwIfAborted();
    throw new NoAnswerError(path, cause);
  }
  if (!isAnswer(answer)) throw new NoAnswerError(path, new Error('the answer has no code'));
  return answer;
}

async function answerOf({ address, body, type, token, timeoutMs = TIMEOUT_MS, send = fetch, signal }: Exchange) {
  const late = AbortSignal.timeout(timeoutMs);
  const response = await send(address, {
    method: 'POST',
    headers: { 'content-type': type, ...(token !== null && { authorization: `Bearer ${token}` }) },
    body,
    redirect: 'error',
    signal: signal === undefined ? late : AbortSignal.any([signal, late]),
  });
  return (await response.json()) as unknown;
}

function isAnswer(answer: unknown): answer is Answer {
  return typeof answer === 'object' && answer !== null && 'code' in answer && typeof answer.code === 'number';
}
