// The question for the password that a call waits for: one dialog answers all calls that wait at the same time.
import { create } from 'zustand';

export interface StepUpQuestion {
  /** Second factors of the account; none where the password will do. */
  readonly methods: readonly string[];
  /** Where codes go, masked. */
  readonly target: string;
  /** The identity provider that stands for a password; empty: the account has one. */
  readonly providerName: string;
}

interface StepUpState {
  /** Null while nothing is asked. */
  readonly question: StepUpQuestion | null;
}

export const useStepUp = create<StepUpState>(() => ({ question: null }));

let waiting: ((isProved: boolean) => void)[] = [];

/** True once the session has proved itself, false where its user leaves it. `data` is that of the refusal. */
export function askStepUp(data: unknown): Promise<boolean> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    useStepUp.setState(({ question }) => ({ question: question ?? questionOf(data) }));
  });
}

export function settleStepUp(isProved: boolean): void {
  const settled = waiting;
  waiting = [];
  useStepUp.setState({ question: null });
  for (const settle of settled) settle(isProved);
}

function questionOf(data: unknown): StepUpQuestion {
  const { methods, target, providerName } = (typeof data === 'object' && data !== null ? data : {}) as Record<
    string,
    unknown
  >;
  return {
    methods: Array.isArray(methods) ? methods.filter((one) => typeof one === 'string') : [],
    target: typeof target === 'string' ? target : '',
    providerName: typeof providerName === 'string' ? providerName : '',
  };
}
