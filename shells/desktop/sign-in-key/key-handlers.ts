// What the shell answers to its page about the key for signing in.
import { badPayload, BridgeRefusal } from '@vedette/bridge/messages/bridge-answer.ts';
import type { Handlers } from '@vedette/bridge/peer/peer.ts';
import type { CsTopics } from '@vedette/bridge/topics/cs-topics.ts';
import type { SignInKey } from './sign-in-key.ts';

export function keyHandlers(signInKey: SignInKey) {
  return {
    'signInKey/create': () => signInKey.create(),
    'signInKey/keep': async (holder) => {
      if (!(await signInKey.keep(holder))) throw new BridgeRefusal(badPayload({ data: 'notFound' }));
      return {};
    },
    'signInKey/forget': async () => {
      const keyId = await signInKey.forget();
      return keyId === null ? {} : { keyId };
    },
  } satisfies Handlers<CsTopics>;
}
