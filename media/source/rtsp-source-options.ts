// Options of an RTSP source.
import type { RtspCredentials } from '@vedette/protocols/rtsp/authentication.ts';
import type { RtspDial } from '@vedette/protocols/rtsp/dial.ts';
import type { KeepAliveMethod } from '@vedette/protocols/rtsp/keep-alive.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { StreamConsumer } from '../stream/stream.ts';
import type { AskForKeyframe } from './keyframe-request.ts';
import type { SignInLimiter } from './sign-in-limiter.ts';

export interface RtspSourceOptions {
  readonly url: string;
  readonly credentials: RtspCredentials | null;
  readonly dial: RtspDial;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly clientNonce: () => string;
  readonly signInLimiter: SignInLimiter;
  readonly consumer: StreamConsumer;
  /** Requests a keyframe from the device; absent if unsupported. */
  readonly askForKeyframe?: AskForKeyframe;
  readonly keepAlive?: KeepAliveMethod;
  /** The connection is closed after this time without a complete frame; at most 10 s. */
  readonly silenceMs?: number;
  readonly connectTimeoutMs?: number;
}
