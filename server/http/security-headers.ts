// Response headers that keep browsers from doing more than the console needs.
import { randomBytes } from '@vedette/foundation/random/random-numbers.ts';

export function newNonce(): string {
  return randomBytes(16).toString('base64');
}

/** On every answer; pages and data replace the policy by a whole one, files of the console are as free as their page lets them be. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'geolocation=(), camera=(), payment=(), usb=()',
};

/** Where a program for direct connections tells its version (BR-03). */
const DIRECT_PROGRAM = 'http://127.0.0.1:9999';

export interface PageNeeds {
  /** Origin of a check against robots that the operator configured; null for none. */
  readonly outside?: string | null;
  /** The page for native shells, which may ask programs of the machine it runs on. */
  readonly isClient?: boolean;
  /** Origins of pages that may frame it. */
  readonly embedders?: readonly string[];
}

/** For the console's pages: scripts and styles of our own or with the nonce (Mantine injects style tags), media from our own engine. */
export function pagePolicy(
  nonce: string,
  host: string,
  { outside = null, isClient = false, embedders = [] }: PageNeeds = {},
): string {
  const also = outside === null ? '' : ` ${outside}`;
  const direct = isClient ? ` ${DIRECT_PROGRAM}` : '';
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'${also}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    // 'self' alone does not cover WebSockets in every browser.
    `connect-src 'self' ws://${host} wss://${host}${also}${direct}`,
    ...(outside === null ? [] : [`frame-src ${outside}`]),
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${embedders.length === 0 ? "'none'" : embedders.join(' ')}`,
  ].join('; ');
}

/** For the documentation: its own style, script and pictures. */
export const DOCUMENTATION_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** For everything that is not a page. */
export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";
