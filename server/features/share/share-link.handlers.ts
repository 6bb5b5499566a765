// Handlers of share/link/*: make, list, revoke, and open without a session.
import type { shareLinkCalls } from '@vedette/contract/calls/share-link.ts';
import type { Handlers } from '../../http/handler.ts';
import { shareLinkAuditParts } from './link-audit.ts';
import { endLink, type LinkMakerDeps, listLinks, makeLink } from './link-maker.ts';
import { LinkLimit } from './link-limit.ts';
import { type LinkOpenerDeps, openLink } from './link-opener.ts';

export type ShareLinkDeps = LinkMakerDeps & Omit<LinkOpenerDeps, 'linkLimit'>;

export function shareLinkHandlers(deps: ShareLinkDeps): Handlers<keyof typeof shareLinkCalls> {
  const linkLimit = new LinkLimit({ clock: deps.clock });
  return {
    'share/link/create': async ({ input, rights, now, origin, audit }) => {
      const held = await rights();
      const made = await makeLink(deps, held, input, { now, origin });
      audit.parts.push(...(await shareLinkAuditParts(deps.database, made.linkId, held)));
      return made;
    },
    'share/link/list': async ({ input, rights, origin }) => await listLinks(deps, await rights(), input, origin),
    'share/link/revoke': async ({ input, principal, rights, now, audit }) => {
      await endLink(deps.database, principal.userId, input.linkId, now);
      audit.parts.push(...(await shareLinkAuditParts(deps.database, input.linkId, await rights())));
      return {};
    },
    'share/link/open': async ({ input, address, origin, audit }) => {
      const { opened, part } = await openLink({ ...deps, linkLimit }, input, { address, origin });
      audit.parts.push(part);
      return opened;
    },
  };
}
