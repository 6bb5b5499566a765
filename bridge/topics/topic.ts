// What a topic of the bridge consists of: the shapes of its request and its answer, how long it may take, who may ask, and behind what it waits.
import { z } from 'zod';

/** How long the side that is asked may take, ms: for what it knows, for what it asks the server, and for a file that a person saves. */
export const TIME_LIMIT_MS = { state: 2000, server: 10_000, file: 5 * 60_000 } as const;

/** `none`: always. `session`: somebody is signed in. `ownAccount`: with the account's own session rather than that of an application (SaaS mode). */
export type TopicRight = 'none' | 'session' | 'ownAccount';

export interface Topic<Q extends z.ZodType = z.ZodType, A extends z.ZodType = z.ZodType> {
  readonly summary: string;
  readonly request: Q;
  readonly answer: A;
  readonly timeLimitMs: number;
  readonly right: TopicRight;
  /**
   * Null: requests run one after another in the order of their arrival. With a name: each tile window has a queue of that name of its own.
   * `supersedes`: the request ends every earlier one of its window that is not answered yet, which then answers 1012.
   */
  readonly queue: { readonly name: 'live' | 'playback'; readonly supersedes: boolean } | null;
}

export type TopicTable = Readonly<Record<string, Topic>>;
export type TopicName<T extends TopicTable> = Extract<keyof T, string>;
/** As it is sent. */
export type TopicRequest<T extends TopicTable, N extends keyof T> = z.input<T[N]['request']>;
/** As the handler receives it. */
export type TopicInput<T extends TopicTable, N extends keyof T> = z.output<T[N]['request']>;
export type TopicAnswer<T extends TopicTable, N extends keyof T> = z.output<T[N]['answer']>;

export const EMPTY = z.object({});

interface TopicOptions<Q extends z.ZodType, A extends z.ZodType> {
  readonly summary: string;
  readonly request?: Q;
  readonly answer?: A;
  readonly timeLimitMs?: number;
  readonly right?: TopicRight;
  readonly queue?: Topic['queue'];
}

/** Without more said: takes and answers nothing, within 2 s, at any time, in order. */
export function topic<Q extends z.ZodType = typeof EMPTY, A extends z.ZodType = typeof EMPTY>(
  options: TopicOptions<Q, A>,
): Topic<Q, A> {
  const { summary, request = EMPTY, answer = EMPTY, timeLimitMs = TIME_LIMIT_MS.state } = options;
  const { right = 'none', queue = null } = options;
  return { summary, request: request as Q, answer: answer as A, timeLimitMs, right, queue };
}
