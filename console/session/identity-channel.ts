// Between a page and the window in which its user signs in at a provider again: the window hands the answer over, and the page makes the call.
import type { IdentityAnswer } from './identity-answer.ts';

const CHANNEL = 'vedette.identity';

function isAnswer(data: unknown): data is IdentityAnswer {
  if (typeof data !== 'object' || data === null) return false;
  const { providerId, parameters } = data as Partial<IdentityAnswer>;
  return typeof providerId === 'string' && typeof parameters === 'string';
}

export function handAnswerOver(answer: IdentityAnswer): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(answer);
  channel.close();
}

/** Of the sign-in with this state alone: other pages may wait for theirs. Returns what ends the waiting. */
export function awaitAnswer(state: string, onAnswer: (answer: IdentityAnswer) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (isAnswer(data) && new URLSearchParams(data.parameters).get('state') === state) onAnswer(data);
  };
  return () => channel.close();
}
