// Which server a request for media is for: the one that its ticket or token names.
import type { IncomingMessage } from 'node:http';
import { nodeOfTicket } from '@vedette/contract/node-ticket.ts';
import { MEDIA_TUNNEL_PATH } from '@vedette/contract/remote-site.ts';

const TICKET_IN_PATH = /^\/media\/[a-z]+\/([\w-]{16,128})(?:[/?]|$)/;
const TOKEN = /^Bearer ([\w-]{16,128})$/;

/** Null where it names none: then it is for this one. */
export function nodeOfRequest({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string | null {
  const isTunnel = url.split('?')[0] === MEDIA_TUNNEL_PATH;
  const found = isTunnel ? TOKEN.exec(headers.authorization ?? '') : TICKET_IN_PATH.exec(url);
  return nodeOfTicket(found?.[1] ?? '');
}
