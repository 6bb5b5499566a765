// The client address of a viewer's HTTP request.
import type { IncomingMessage } from 'node:http';

/** The front sets it, and drops what the viewer says of himself; nobody else reaches the site's socket. */
export function clientAddress({ headers }: IncomingMessage): string {
  const forwarded = headers['x-forwarded-for'];
  return typeof forwarded === 'string' ? forwarded : '';
}
