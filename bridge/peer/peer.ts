// One side of a bridge: sends requests and matches their answers, takes requests and answers each once. Page, shells and test shells use it.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { BRIDGE_LIMITS } from '../limits.ts';
import {
  BUSY,
  badPayload,
  BridgeRefusal,
  type BridgeOutcome,
  DENIED,
  messageOf,
  NOT_SUPPORTED,
  succeeded,
} from '../messages/bridge-answer.ts';
import {
  type BridgeId,
  type BridgeReply,
  type BridgeRequest,
  readMessage,
  writeMessage,
} from '../messages/bridge-message.ts';
import { type Launch, PageLaunch, ShellLaunch } from '../messages/launch.ts';
import type {
  Topic,
  TopicAnswer,
  TopicInput,
  TopicName,
  TopicRequest,
  TopicRight,
  TopicTable,
} from '../topics/topic.ts';
import type { Transport } from '../transports/transport.ts';
import { type ReadRequest, readAnswer, readRequest } from './read-payload.ts';
import { type QueuedRequest, RequestQueue } from './request-queue.ts';

const PREFIX = { toPage: '/api/v1.0/web/', toShell: '/api/v1.0/cs/' } as const;
/** What answers requests; a topic without one is answered 1006. Throw BridgeRefusal to refuse. */
export type Handlers<T extends TopicTable> = {
  readonly [N in TopicName<T>]?: (
    input: TopicInput<T, N>,
    signal: AbortSignal,
  ) => TopicAnswer<T, N> | Promise<TopicAnswer<T, N>>;
};

export interface PeerOptions<I extends TopicTable, O extends TopicTable> {
  readonly side: 'page' | 'shell';
  readonly transport: Transport;
  readonly incoming: I;
  readonly outgoing: O;
  readonly handlers: Handlers<I>;
  readonly clock: Clock;
  /** An unguessable text, for ids and for the word of a launch. */
  readonly newId: () => string;
  readonly hasRight: (right: TopicRight) => boolean;
  /** Somebody should read why a handler failed; the other side is told 1012. */
  readonly onFailure: (topic: string, failure: unknown) => void;
}

export interface PeerDrops {
  /** No message of this launch, or a request that came before. */
  readonly messages: number;
  /** Answers that nobody waits for: late, given twice, or with an unknown id. */
  readonly answers: number;
}

export class Peer<I extends TopicTable, O extends TopicTable> {
  readonly #options: PeerOptions<I, O>;
  readonly #launch: Launch;
  readonly #queue: RequestQueue;
  readonly #waiting = new Map<BridgeId, (reply: BridgeReply) => void>();
  readonly #stopListening: () => void;
  readonly #to: string;
  readonly #from: string;
  #named: ReadonlySet<string> | null = null;
  #drops: PeerDrops = { messages: 0, answers: 0 };

  constructor(options: PeerOptions<I, O>) {
    this.#options = options;
    const isPage = options.side === 'page';
    this.#launch = isPage ? new PageLaunch(options.newId) : new ShellLaunch();
    [this.#to, this.#from] = isPage ? [PREFIX.toShell, PREFIX.toPage] : [PREFIX.toPage, PREFIX.toShell];
    this.#queue = new RequestQueue(options.clock);
    this.#stopListening = options.transport.onMessage((value) => this.#receive(value));
  }

  get drops(): PeerDrops {
    return this.#drops;
  }

  /** Topics that the other side named in the handshake; null: it named none, and hears all. */
  nameTopics(named: readonly string[] | null): void {
    this.#named = named === null ? null : new Set(named);
  }

  /** True where the other side said that it takes the topic. */
  isNamed(topic: TopicName<O>): boolean {
    return this.#named?.has(topic) ?? false;
  }

  /** The answer, or one of this side: 1006 where the other side did not name the topic, 1012 where no answer came in time, 1003 for a bad one. */
  async ask<N extends TopicName<O>>(
    name: N,
    data: TopicRequest<O, N>,
  ): Promise<BridgeOutcome<TopicAnswer<O, N>> | BridgeOutcome> {
    const topic = this.#options.outgoing[name] as Topic;
    if (this.#named !== null && !this.#named.has(name)) return NOT_SUPPORTED;
    const request = readRequest(topic, data);
    if ('code' in request) return request;
    if (this.#waiting.size >= BRIDGE_LIMITS.waiting) return BUSY;
    const id = this.#options.newId();
    if (!this.#send({ id, url: this.#to + name, data: request.input })) return badPayload({ data: 'tooLong' });
    const reply = await this.#reply(id, topic.timeLimitMs);
    return reply === null ? BUSY : (readAnswer(topic, reply) as BridgeOutcome<TopicAnswer<O, N>>);
  }

  /** What needs no answer. */
  tell<N extends TopicName<O>>(name: N, data: TopicRequest<O, N>): void {
    void this.ask(name, data);
  }

  close(): void {
    this.#stopListening();
    this.#queue.close();
  }

  /** Null where none came in time. */
  #reply(id: BridgeId, timeLimitMs: number): Promise<BridgeReply | null> {
    return new Promise((resolve) => {
      const settle = (reply: BridgeReply | null): void => {
        cancel();
        this.#waiting.delete(id);
        resolve(reply);
      };
      const cancel = this.#options.clock.after(timeLimitMs, () => settle(null));
      this.#waiting.set(id, settle);
    });
  }

  #receive(value: unknown): void {
    const message = readMessage(value);
    if (message === null || !this.#launch.accepts(message, this.#options.transport.isOwn))
      this.#drops = { ...this.#drops, messages: this.#drops.messages + 1 };
    else if (message.kind === 'request') this.#take(message);
    else {
      const settle = this.#waiting.get(message.id);
      if (settle === undefined) this.#drops = { ...this.#drops, answers: this.#drops.answers + 1 };
      else settle(message);
    }
  }

  #take({ id, url, data }: BridgeRequest): void {
    const name = url.startsWith(this.#from) ? url.slice(this.#from.length) : '';
    const { incoming } = this.#options;
    const topic = Object.hasOwn(incoming, name) ? incoming[name] : undefined;
    const answer = (outcome: BridgeOutcome): void => this.#answer(id, outcome);
    if (topic === undefined)
      return this.#queue.add({ ...IN_ORDER, timeLimitMs: 0, run: async () => NOT_SUPPORTED, answer });
    const request = readRequest(topic, data);
    const run = (signal: AbortSignal): Promise<BridgeOutcome> => this.#run({ name, topic, request }, signal);
    this.#queue.add({ ...placeOf(topic, request), timeLimitMs: topic.timeLimitMs, run, answer });
  }

  /** Support first, then rights: whoever may not ask learns nothing from the shape of its request. */
  async #run({ name, topic, request }: TakenRequest, signal: AbortSignal): Promise<BridgeOutcome> {
    const { handlers, hasRight, onFailure } = this.#options;
    const handler = (handlers as Readonly<Record<string, Handler | undefined>>)[name];
    if (handler === undefined) return NOT_SUPPORTED;
    if (!hasRight(topic.right)) return DENIED;
    if ('code' in request) return request;
    try {
      return succeeded(await handler(request.input, signal));
    } catch (failure) {
      if (failure instanceof BridgeRefusal) return failure.outcome;
      if (!signal.aborted) onFailure(name, failure);
      return BUSY;
    }
  }

  #answer(id: BridgeId, { code, data }: BridgeOutcome): void {
    if (this.#send({ id, code, message: messageOf(code), data })) return;
    this.#send({ id, code: BUSY.code, message: messageOf(BUSY.code), data: BUSY.data });
  }

  /** False where the message is larger than the other side would take. */
  #send(message: object): boolean {
    const { nonce } = this.#launch;
    const text = writeMessage(nonce === undefined ? message : { ...message, nonce });
    if (text !== null) this.#options.transport.send(text);
    return text !== null;
  }
}

type Handler = (input: unknown, signal: AbortSignal) => unknown;

interface TakenRequest {
  readonly name: string;
  readonly topic: Topic;
  readonly request: ReadRequest;
}

/** The queue of everything that belongs to no tile window. */
const IN_ORDER = { queue: '', supersedes: false } as const;

/** A request that is refused for its shape ends nothing. */
function placeOf({ queue }: Topic, request: ReadRequest): Pick<QueuedRequest, 'queue' | 'supersedes'> {
  if (queue === null || 'code' in request) return IN_ORDER;
  const { window } = request.input as { readonly window: number };
  return { queue: `${queue.name} ${window}`, supersedes: queue.supersedes };
}
