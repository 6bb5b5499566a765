// Handlers of share/link/*: make, list, revoke, and open without a session.
import type { shareLinkCalls } from '@vedette/contract/calls/share-link.ts';
import type { Handlers } from '../../http/handler.ts';
import { endLink, type LinkMakerParts, listLinks, makeLink } from './link-maker.ts';
import { LinkLimit } from './link-limit.ts';
import { type LinkOpenerParts, openLink } from './link-opener.ts';

export type ShareLinkParts = LinkMakerParts & Omit<LinkOpenerParts, 'linkLimit'>;

export function shareLinkHandlers(parts: ShareLinkParts): Handlers<keyof typeof shareLinkCalls> {
  const linkLimit = new LinkLimit({ clock: parts.clock });
  return {
    'share/link/create': async ({ input, rights, now, origin }) =>
      await makeLink(parts, await rights(), input, { now, origin }),
    'share/link/list': async ({ input, rights, origin }) => await listLinks(parts, await rights(), input, origin),
    'share/link/revoke': async ({ input, principal, now }) => {
      await endLink(parts.database, principal.userId, input.linkId, now);
      return {};
    },
    'share/link/open': async ({ input, address, origin, audit }) => {
      const { opened, ownerId } = await openLink({ ...parts, linkLimit }, input, { address, origin });
      // Who watched: a guest, by a link of this account.
      audit.object = `guest of ${ownerId}`;
      return opened;
    },
  };
}
