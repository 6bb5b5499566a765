// A page and a shell that are joined without a web view: what one sends the other receives at once.
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { CS_TOPICS, type CsTopics } from '../topics/cs-topics.ts';
import type { TopicRight } from '../topics/topic.ts';
import { WEB_TOPICS, type WebTopics } from '../topics/web-topics.ts';
import type { Transport } from '../transports/transport.ts';
import { type Handlers, Peer } from './peer.ts';

export interface SentMessage {
  readonly id: string;
  readonly url?: string;
  readonly code?: number;
  readonly message?: string;
  readonly data: Record<string, unknown>;
  readonly nonce?: string;
}

/** A transport whose other end a test holds. */
export class HeldTransport implements Transport {
  readonly isOwn: boolean;
  readonly sent: SentMessage[] = [];
  /** What is sent goes on to it. */
  onSent: (json: string) => void = () => undefined;
  #take: (value: unknown) => void = () => undefined;

  constructor(isOwn = true) {
    this.isOwn = isOwn;
  }

  send(json: string): void {
    this.sent.push(JSON.parse(json) as SentMessage);
    this.onSent(json);
  }

  onMessage(take: (value: unknown) => void): () => void {
    this.#take = take;
    return () => {
      this.#take = () => undefined;
    };
  }

  /** As if the other side had sent it. */
  deliver(value: unknown): void {
    this.#take(value);
  }

  /** Answers that were sent, in order. */
  get answers(): readonly (readonly [id: string, code: number | undefined])[] {
    return this.sent.filter(({ url }) => url === undefined).map(({ id, code }) => [id, code]);
  }
}

let ids = 0;
const newId = (): string => `id ${(ids += 1)}`;

export interface PageUnderTest {
  readonly page: Peer<WebTopics, CsTopics>;
  readonly transport: HeldTransport;
  readonly clock: FakeClock;
  readonly failures: unknown[];
}

export function newPage(handlers: Handlers<WebTopics> = {}, rights?: readonly TopicRight[]): PageUnderTest {
  const transport = new HeldTransport();
  const clock = new FakeClock();
  const failures: unknown[] = [];
  const page = new Peer({
    side: 'page',
    transport,
    incoming: WEB_TOPICS,
    outgoing: CS_TOPICS,
    handlers,
    clock,
    newId,
    hasRight: (right) => rights?.includes(right) ?? true,
    onFailure: (_topic, failure) => failures.push(failure),
  });
  return { page, transport, clock, failures };
}

/** The page's shell, joined to it both ways. */
export function joinShell({ transport, clock }: PageUnderTest, handlers: Handlers<CsTopics> = {}) {
  const end = new HeldTransport();
  const shell = new Peer({
    side: 'shell',
    transport: end,
    incoming: CS_TOPICS,
    outgoing: WEB_TOPICS,
    handlers,
    clock,
    newId,
    hasRight: () => true,
    onFailure: () => undefined,
  });
  transport.onSent = (json) => end.deliver(json);
  end.onSent = (json) => transport.deliver(json);
  return { shell, end };
}
