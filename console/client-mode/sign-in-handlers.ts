// Sign-in by the ticket that a shell got for its key, or from the browser in which somebody signed in at an identity provider: nothing that crosses the bridge opens a second session.
import { BridgeRefusal, DENIED } from '@vedette/bridge/messages/bridge-answer.ts';
import type { Handlers } from '@vedette/bridge/peer/peer.ts';
import type { WebTopics } from '@vedette/bridge/topics/web-topics.ts';
import { ACCOUNT_STATUS } from '@vedette/contract/enumerations.ts';
import { accountStatus } from '../session/auth-store.ts';
import { browserId } from '../session/browser-id.ts';
import { useClientState } from '../session/client-state.ts';
import { askServer } from './ask-server.ts';
import type { ClientParts } from './client-parts.ts';

export function signInHandlers({ caller, session }: ClientParts) {
  return {
    autoLogin: async ({ loginName, ticket }, signal) => {
      if (accountStatus() !== ACCOUNT_STATUS.notLoggedIn) throw new BridgeRefusal(DENIED);
      const order = { ticket, browserId: browserId() };
      const signedIn = await askServer(caller, 'account/key/signIn', order, signal);
      useClientState.setState({ accountLoginName: loginName, isAutoLogin: true });
      session.signIn(signedIn);
      return {};
    },
    'identity/ticket': async ({ providerId, ticket, verifier }, signal) => {
      if (accountStatus() !== ACCOUNT_STATUS.notLoggedIn) throw new BridgeRefusal(DENIED);
      const order = { providerId, ticket, verifier, browserId: browserId() };
      const signedIn = await askServer(caller, 'identity/signIn/redeem', order, signal);
      useClientState.setState({ accountLoginName: signedIn.userName });
      session.signIn(signedIn);
      return {};
    },
  } satisfies Handlers<WebTopics>;
}
