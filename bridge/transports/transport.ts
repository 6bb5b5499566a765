// The way by which one side of a bridge sends messages to the other and hears them.

export interface Transport {
  /** True where nobody but the other side can have sent what arrives; else each message must carry the word of the launch. */
  readonly isOwn: boolean;
  /** One message as JSON. */
  send(json: string): void;
  /** What arrives, as JSON or as an object, unchecked; returns how to stop listening. */
  onMessage(take: (value: unknown) => void): () => void;
}
