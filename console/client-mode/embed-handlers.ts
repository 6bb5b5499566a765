// What the page around a framed console asks beside what a shell asks: to sign in by a token of its app, which works once.
import type { Handlers } from '@vedette/bridge/peer/peer.ts';
import type { WebTopics } from '@vedette/bridge/topics/web-topics.ts';
import { PATHS } from '../navigation/paths.ts';
import { askServer, refuse } from './ask-server.ts';
import type { ClientParts } from './client-parts.ts';

/** The account has agreed to what the app sees when it allowed the app; a frame asks nothing of it (SE-56). */
export function embedHandlers({ callerWith, session, router }: ClientParts, appId: string) {
  return {
    autoLogin: async ({ loginName, ticket }, signal) => {
      const { authCode } = await askServer(callerWith(ticket), 'oauth/launch/begin', { appId }, signal);
      // Nothing of a code is known to a session: these are asked without one.
      const asked = callerWith('');
      const { accountName, scopeList } = await askServer(asked, 'oauth/launch/get', { authCode }, signal);
      if (accountName !== loginName) {
        await askServer(asked, 'oauth/launch/abort', { authCode }, signal);
        refuse('loginName', 'notAllowed');
      }
      session.openSaas(await askServer(asked, 'oauth/launch/confirm', { authCode }, signal), scopeList);
      await (await router).navigate(PATHS.liveVideo, { replace: true });
      return {};
    },
  } satisfies Handlers<WebTopics>;
}
