// Public address that the caller used, for absolute addresses in answers.
import type { IncomingHttpHeaders } from 'node:http';

export interface PublicOrigin {
  readonly isSecure: boolean;
  /** Host and port. */
  readonly host: string;
}

const HOST_FORM = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** The gateway sets x-forwarded-proto itself; the Host header only ever comes back to who sent it. */
export function publicOrigin(headers: IncomingHttpHeaders, publicPort: number): PublicOrigin {
  const host = headers.host ?? '';
  return {
    isSecure: headers['x-forwarded-proto'] === 'https',
    host: HOST_FORM.test(host) ? host : `localhost:${publicPort}`,
  };
}

export function httpUrl(origin: PublicOrigin, path: string): string {
  return `${origin.isSecure ? 'https' : 'http'}://${origin.host}${path}`;
}

export function webSocketUrl(origin: PublicOrigin, path: string): string {
  return `${origin.isSecure ? 'wss' : 'ws'}://${origin.host}${path}`;
}

/** The gateway strips what callers claim and sets its own; without one the request came over the unix socket. */
export function callerAddress(headers: IncomingHttpHeaders): string {
  const forwarded = headers['x-forwarded-for'];
  const first = Array.isArray(forwarded) ? forwarded[0] : forwarded;
  return first?.split(',')[0]?.trim().slice(0, 64) || 'local';
}
