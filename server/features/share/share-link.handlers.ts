// Handlers of share/link/*: make, list, revoke, and open without a session.
import type { shareLinkCalls } from '@vedette/contract/calls/share-link.ts';
import type { Handlers } from '../../http/handler.ts';
import { linkParts } from './link-audit.ts';
import { endLink, type LinkMakerParts, listLinks, makeLink } from './link-maker.ts';
import { LinkLimit } from './link-limit.ts';
import { type LinkOpenerParts, openLink } from './link-opener.ts';

export type ShareLinkParts = LinkMakerParts & Omit<LinkOpenerParts, 'linkLimit'>;

export function shareLinkHandlers(parts: ShareLinkParts): Handlers<keyof typeof shareLinkCalls> {
  const linkLimit = new LinkLimit({ clock: parts.clock });
  return {
    'share/link/create': async ({ input, rights, now, origin, audit }) => {
      const held = await rights();
      const made = await makeLink(parts, held, input, { now, origin });
      audit.parts.push(...(await linkParts(parts.database, made.linkId, held)));
      return made;
    },
    'share/link/list': async ({ input, rights, origin }) => await listLinks(parts, await rights(), input, origin),
    'share/link/revoke': async ({ input, principal, rights, now, audit }) => {
      await endLink(parts.database, principal.userId, input.linkId, now);
      audit.parts.push(...(await linkParts(parts.database, input.linkId, await rights())));
      return {};
    },
    'share/link/open': async ({ input, address, origin, audit }) => {
      const { opened, part } = await openLink({ ...parts, linkLimit }, input, { address, origin });
      audit.parts.push(part);
      return opened;
    },
  };
}
