// The second wrapper (CA-02): the same calls in SaaS mode, with the application's token in place of the account's own.
import { type Caller, type CallerOptions, createCaller } from './caller.ts';

export interface SaasCallerOptions extends Omit<CallerOptions, 'token'> {
  /** Empty outside of SaaS mode. */
  readonly saasToken: () => string;
}

/** A session-ending code ends the application's session alone: whoever hears of it goes to trust login (ST-03). */
export function createSaasCaller({ saasToken, ...given }: SaasCallerOptions): Caller {
  return createCaller({ ...given, token: () => saasToken() || null });
}
