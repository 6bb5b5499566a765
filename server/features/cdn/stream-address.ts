// Addresses at a CDN provider: where a stream is published, signed as the provider asks, and where it is played.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { CdnSigning } from '@vedette/contract/enumerations.ts';

export interface CdnStream {
  readonly channelId: string;
  readonly quality: 0 | 1 | 2;
}

export interface AddressSigning {
  /** With `{stream}` once. */
  readonly template: string;
  readonly signing: CdnSigning;
  readonly key: string;
}

export const STREAM_PLACE = '{stream}';

/** Neither needs escaping in an address. */
const STREAM_NAME = /^([A-Za-z0-9]{1,64})-([012])/u;
/** What a signature appends; the number is the expiry. A token and a passphrase stand in no address. */
const EXPIRY: Readonly<Record<CdnSigning, RegExp | null>> = {
  none: null,
  aliyun: /[?&]auth_key=(?<decimal>\d{10})-/u,
  tencent: /[?&]txTime=(?<hex>[0-9A-F]{8})$/u,
  nginx: /[?&]expires=(?<decimal>\d{10})$/u,
  bearer: null,
  passphrase: null,
};

export function streamName({ channelId, quality }: CdnStream): string {
  return `${channelId}-${quality}`;
}

/** Where the stream is played by a template; empty where the provider has none. */
export function playAddress(template: string, stream: CdnStream): string {
  return template.replace(STREAM_PLACE, streamName(stream));
}

/** @param expiresS seconds since 1970; without a signature the address does not expire */
export function publishAddress(provider: AddressSigning, stream: CdnStream, expiresS: number): string {
  const address = provider.template.replace(STREAM_PLACE, streamName(stream));
  if (EXPIRY[provider.signing] === null) return address;
  const query = signature(provider, new URL(address).pathname, expiresS);
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}

/** The stream of an address that `publishAddress` made and that has not expired; null for every other text. */
export function streamOfAddress(provider: AddressSigning, address: string, nowS: number): CdnStream | null {
  const [head = ''] = provider.template.split(STREAM_PLACE);
  const stream = address.startsWith(head) ? streamOfName(address.slice(head.length)) : null;
  const expiresS = expiryOf(provider.signing, address);
  if (stream === null || expiresS === null || expiresS <= nowS) return null;
  return isSame(publishAddress(provider, stream, expiresS), address) ? stream : null;
}

/** Of a text that begins with the name of a stream. */
export function streamOfName(text: string): CdnStream | null {
  const [, channelId, quality] = STREAM_NAME.exec(text) ?? [];
  if (channelId === undefined) return null;
  return { channelId, quality: Number(quality) as 0 | 1 | 2 };
}

function expiryOf(signing: CdnSigning, address: string): number | null {
  const pattern = EXPIRY[signing];
  if (pattern === null) return Number.POSITIVE_INFINITY;
  const { decimal, hex } = pattern.exec(address)?.groups ?? {};
  if (decimal !== undefined) return Number(decimal);
  return hex === undefined ? null : Number.parseInt(hex, 16);
}

/**
 * Aliyun type A (`auth_key`: time, random and user 0, MD5); Tencent (`txSecret` over key, stream and time in hex);
 * nginx with `secure_link_md5 "$secure_link_expires$uri KEY"`.
 */
function signature({ signing, key }: AddressSigning, path: string, expiresS: number): string {
  if (signing === 'aliyun') return `auth_key=${expiresS}-0-0-${md5(`${path}-${expiresS}-0-0-${key}`, 'hex')}`;
  if (signing === 'nginx') return `md5=${md5(`${expiresS}${path} ${key}`, 'base64url')}&expires=${expiresS}`;
  const time = expiresS.toString(16).toUpperCase();
  return `txSecret=${md5(`${key}${path.split('/').at(-1) ?? ''}${time}`, 'hex')}&txTime=${time}`;
}

/** What these providers ask for; nothing of ours rests on it. */
function md5(text: string, encoding: 'hex' | 'base64url'): string {
  return createHash('md5').update(text).digest(encoding);
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
