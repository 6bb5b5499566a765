// Addresses of streams at a CDN provider, whichever kind it is: where they are published, fetched and played.
import { CDN_PROTOCOL } from '@vedette/contract/enumerations.ts';
import type { SecretBox } from '../../core/secret-box.ts';
import type { CdnProviderRow } from '../../database/schema/cdn-schema.ts';
import { httpUrl, type PublicOrigin } from '../../http/public-origin.ts';
import { type OriginSigning, originAddress, streamOfOriginAddress } from './origin-address.ts';
import { type AddressSigning, type CdnStream, playAddress, publishAddress, streamOfAddress } from './stream-address.ts';

export type ProviderPlace = Pick<
  CdnProviderRow,
  | 'provider_id'
  | 'kind'
  | 'publish_address'
  | 'rtmp_address'
  | 'hls_address'
  | 'flv_address'
  | 'base_address'
  | 'signing'
  | 'signing_key'
  | 'valid_minutes'
>;

export type CdnProtocol = (typeof CDN_PROTOCOL)[keyof typeof CDN_PROTOCOL];

export interface AddressAsked {
  readonly box: SecretBox;
  /** Under which the caller reaches us. */
  readonly origin: PublicOrigin;
  readonly now: number;
}

export interface StreamPlace {
  readonly stream: CdnStream;
  readonly siteId: string;
}

/** By what a provider takes streams. */
const PUBLISHED_BY = { push: CDN_PROTOCOL.rtmp, whip: CDN_PROTOCOL.whip, srt: CDN_PROTOCOL.srt } as const;
const PUBLISHING: ReadonlySet<CdnProtocol> = new Set(Object.values(PUBLISHED_BY));

/** Null where the provider has nothing by that protocol. */
export function addressAt(
  { box, origin, now }: AddressAsked,
  provider: ProviderPlace,
  { stream, siteId, protocol }: StreamPlace & { readonly protocol: CdnProtocol },
): string | null {
  const nowS = Math.floor(now / 1000);
  if (provider.kind === 'origin') {
    if (PUBLISHING.has(protocol)) return null;
    const format = protocol === CDN_PROTOCOL.httpFlv ? 'flv' : 'm3u8';
    return originAddress(originSigning(box, origin, provider), { stream, siteId, format }, nowS);
  }
  if (protocol === PUBLISHED_BY[provider.kind])
    return publishAddress(signingOf(box, provider), stream, nowS + provider.valid_minutes * 60);
  return playedBy(provider, protocol) === '' ? null : playAddress(playedBy(provider, protocol), stream);
}

function playedBy({ hls_address: hls, flv_address: flv }: ProviderPlace, protocol: CdnProtocol): string {
  if (protocol === CDN_PROTOCOL.hls) return hls;
  return protocol === CDN_PROTOCOL.httpFlv ? flv : '';
}

/** Of an address from which a stream is started; null for one that the provider did not get from us, or that expired. */
export function streamAt(
  { box, now }: Pick<AddressAsked, 'box' | 'now'>,
  provider: ProviderPlace,
  url: string,
): CdnStream | null {
  const nowS = Math.floor(now / 1000);
  if (provider.kind === 'origin') return streamOfOriginAddress(keyOf(box, provider), url, nowS);
  return streamOfAddress(signingOf(box, provider), url, nowS);
}

/** Where a stream is played; empty: the provider has no such address. */
export function playedAt(
  asked: AddressAsked,
  provider: ProviderPlace,
  place: StreamPlace,
): { readonly rtmpUrl: string; readonly hlsUrl: string; readonly flvUrl: string } {
  const at = (protocol: CdnProtocol): string => addressAt(asked, provider, { ...place, protocol }) ?? '';
  return {
    rtmpUrl: playAddress(provider.rtmp_address, place.stream),
    hlsUrl: at(CDN_PROTOCOL.hls),
    flvUrl: at(CDN_PROTOCOL.httpFlv),
  };
}

export function keyOf(box: SecretBox, provider: Pick<ProviderPlace, 'provider_id' | 'signing_key'>): string {
  return box.open(provider.signing_key, provider.provider_id);
}

/** What a site needs beside the address: the token of WHIP, the passphrase of SRT. */
export function secretOf(
  box: SecretBox,
  provider: Pick<ProviderPlace, 'provider_id' | 'signing' | 'signing_key'>,
): { readonly secret?: string } {
  const isSent = provider.signing === 'bearer' || provider.signing === 'passphrase';
  return isSent ? { secret: keyOf(box, provider) } : {};
}

function signingOf(box: SecretBox, provider: ProviderPlace): AddressSigning {
  return { template: provider.publish_address, signing: provider.signing, key: keyOf(box, provider) };
}

function originSigning(box: SecretBox, origin: PublicOrigin, provider: ProviderPlace): OriginSigning {
  const { base_address: base, valid_minutes: validMinutes } = provider;
  return { key: keyOf(box, provider), base: base === '' ? httpUrl(origin, '') : base, validS: validMinutes * 60 };
}
