// Addresses of live streams at our own origin: signed, expiring, and the same for everyone who asks within one period.
import { LOCAL_SITE, siteOfTicket } from '@vedette/contract/remote-site.ts';
import { derivedKey, signedUntil, signUntil } from '@vedette/foundation/signing/expiring-signature.ts';
import { type CdnStream, streamName, streamOfName } from './stream-address.ts';

export interface OriginSigning {
  readonly key: string;
  /** Where the paths of the origin begin. */
  readonly base: string;
  /** Addresses work so long at least, and twice as long at most. */
  readonly validS: number;
}

const PATH = /\/media\/cdn\/([\w-]{16,128})\/([A-Za-z0-9]{1,64}-[012])\/live\.(?:m3u8|flv)$/u;
const SITE_PREFIX = /^far-[0-9a-f]{24}-/u;

/** All that the site of a stream learns of the origin's key. */
export function originStreamKey(key: string, stream: CdnStream): string {
  return derivedKey(key, streamName(stream));
}

/** @param siteId of the camera: the local site relays what it has to say */
export function originAddress(
  { key, base, validS }: OriginSigning,
  { stream, siteId, format }: { readonly stream: CdnStream; readonly siteId: string; readonly format: 'm3u8' | 'flv' },
  nowS: number,
): string {
  const expiresS = (Math.floor(nowS / validS) + 2) * validS;
  const secret = signUntil(originStreamKey(key, stream), streamName(stream), expiresS);
  const token = siteId === LOCAL_SITE ? secret : `far-${siteId}-${secret}`;
  return `${base}/media/cdn/${token}/${streamName(stream)}/live.${format}`;
}

/** The stream of an address that `originAddress` made and that has not expired; null for every other text. */
export function streamOfOriginAddress(key: string, address: string, nowS: number): CdnStream | null {
  const [, token = '', name = ''] = PATH.exec(address) ?? [];
  const stream = streamOfName(name);
  if (stream === null) return null;
  const secret = siteOfTicket(token) === null ? token : token.replace(SITE_PREFIX, '');
  const untilS = signedUntil(originStreamKey(key, stream), name, secret);
  return untilS !== null && untilS > nowS ? stream : null;
}
