// The client address of a viewer's HTTP request.
import type { IncomingMessage } from 'node:http';

/** Set by the gateway, which drops the viewer's own value; only the gateway reaches the site's socket. */
export function clientAddress({ headers }: IncomingMessage): string {
  const forwarded = headers['x-forwarded-for'];
  return typeof forwarded === 'string' ? forwarded : '';
}
