// What users of the bridge see of it, in words of its own.

/** The way by which one side sends messages to the other and hears them. */
export interface Transport {
  /** True where nobody but the other side can have sent what arrives; else each message must carry the word of the launch. */
  readonly isOwn: boolean;
  /** One message as JSON. */
  send(json: string): void;
  /** What arrives, as JSON or as an object, unchecked; returns how to stop listening. */
  onMessage(take: (value: unknown) => void): () => void;
}

/** The part of a window that an embedder uses. */
export interface FramedWindow {
  postMessage(message: string, targetOrigin: string, transfer: unknown[]): void;
}

/** 1003: fields by what is wrong with them · 1004 · 1006: the topic is not offered · 1012: too late, too many, or failed. */
export type RefusalCode = 1003 | 1004 | 1006 | 1012;

export type Outcome<Answer> =
  | { readonly code: 200; readonly data: Answer }
  | { readonly code: RefusalCode; readonly data: unknown };

/** What answers requests; a topic without one is answered 1006. `refuse` refuses with a code. `signal`: the time is over, or a later request took the place. */
export type Handlers<T> = {
  readonly [N in keyof T]?: (input: RequestOf<T[N]>, signal: AbortSignal) => AnswerOf<T[N]> | Promise<AnswerOf<T[N]>>;
};
export type RequestOf<T> = T extends { readonly request: infer Request } ? Request : never;
export type AnswerOf<T> = T extends { readonly answer: infer Answer } ? Answer : never;

export interface PeerOptions<Incoming> {
  readonly transport: Transport;
  readonly handlers: Handlers<Incoming>;
  /** Why a handler failed; the other side is told 1012 and nothing else. */
  readonly onFailure?: (topic: string, failure: unknown) => void;
}

export interface BridgePeer<Outgoing> {
  /** Asks the other side, and waits for its answer within the time of the topic. */
  ask<N extends keyof Outgoing & string>(
    topic: N,
    request: RequestOf<Outgoing[N]>,
  ): Promise<Outcome<AnswerOf<Outgoing[N]>>>;
  /** What the other side named in its handshake; null: it named nothing and hears all. */
  nameTopics(names: readonly string[] | null): void;
  close(): void;
}

export interface TopicDescription {
  readonly name: string;
  /** As it stands in messages, such as `/api/v1.0/web/live/start`. */
  readonly url: string;
  readonly summary: string;
  /** JSON Schema of what it takes and of what it answers. */
  readonly request: object;
  readonly answer: object;
  readonly timeLimitMs: number;
  /** Who may ask: anybody, a signed-in account, or the account's own session. */
  readonly right: 'none' | 'session' | 'ownAccount';
}
