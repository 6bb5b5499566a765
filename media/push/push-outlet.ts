// What a pusher sends by: one protocol to one server, one connection after the other.
import type { SharedStream } from '../stream/shared-stream.ts';
import type { MediaFormat } from '../stream/stream.ts';

export interface PushOutlet {
  /** Whether it carries anything of the stream. */
  takes(format: MediaFormat): boolean;
  /** A connection that is ready for media. Rejects with what `pushReasonOf` knows, or with the reason of the signal. */
  connect(order: PushOrder): Promise<PushConnection>;
}

export interface PushOrder {
  /** Its format is known. */
  readonly stream: SharedStream;
  readonly onSent: (bytes: number) => void;
  /** Ends the attempt, and nothing after it. */
  readonly signal: AbortSignal;
}

export interface PushConnection {
  /** Sends from the newest keyframe on. Called once, unless it is closed before. */
  begin(): void;
  /** Why it ended, as `pushReasonOf` knows it. Never rejects. */
  readonly closed: Promise<unknown>;
  /** Ends it in good order; sends no media any more. */
  finish(): void;
}
