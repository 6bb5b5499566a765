// Reads the server's answer 2076: how two-factor authentication can be completed, and where its code goes.
export interface TwoFactorChallenge {
  readonly isMessage: boolean;
  /** Masked; empty for time codes. */
  readonly target: string;
}

export function readTwoFactorChallenge(data: unknown): TwoFactorChallenge {
  const { methods, target } = (typeof data === 'object' && data !== null ? data : {}) as {
    methods?: unknown;
    target?: unknown;
  };
  return {
    isMessage: Array.isArray(methods) && methods.includes('message'),
    target: typeof target === 'string' ? target : '',
  };
}
