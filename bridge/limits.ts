// The limits of the bridge between page and native shell.

export const BRIDGE_LIMITS = {
  /** Bytes of one message as JSON in UTF-8. */
  messageBytes: 64 * 1024,
  /** Objects and lists inside each other, the message itself included. */
  depth: 8,
  idLength: 64,
  urlLength: 128,
  /** Requests of each side that wait for their answer at the same time. */
  waiting: 64,
  /** Requests that are remembered so that none runs twice. */
  remembered: 10_000,
} as const;
