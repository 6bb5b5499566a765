// What is stored of where a CDN provider takes streams or gives them out: checked by its kind, its key sealed.
import type { CallParsed } from '@vedette/contract/calls/calls.ts';
import type { CdnProviderKind, CdnSigning } from '@vedette/contract/enumerations.ts';
import { newSecret } from '@vedette/foundation/random/secrets.ts';
import { parseSrtAddress, SRT_PASSPHRASE } from '@vedette/rules/cdn/srt-address.ts';
import { fieldError } from '../../core/call-error.ts';
import type { SecretBox } from '../../core/secret-box.ts';
import type { ProviderColumns, ProviderWithTotal } from '../../database/media/cdn.queries.ts';
import { STREAM_PLACE } from './stream-address.ts';

type Given = CallParsed<'cdn/provider/save'>;

interface Saving {
  readonly providerId: string;
  readonly input: Given;
  readonly known: ProviderWithTotal | undefined;
}

export type PlaceColumns = Omit<ProviderColumns, 'provider_name' | 'kind' | 'valid_minutes'>;

/** Throws 1003 by field. */
export function placeColumns(box: SecretBox, saving: Saving): PlaceColumns {
  const { kind } = saving.input;
  return kind === 'origin' ? originColumns(box, saving) : pushColumns(box, saving, PUSHED[kind]);
}

interface Pushed {
  readonly schemes: readonly string[];
  readonly signings: readonly CdnSigning[];
  readonly isAddress: (template: string) => boolean;
}

const PUSHED: Readonly<Record<Exclude<CdnProviderKind, 'origin'>, Pushed>> = {
  push: {
    schemes: ['rtmp:', 'rtmps:'],
    signings: ['none', 'aliyun', 'tencent', 'nginx'],
    // An application, and the name behind it.
    isAddress: (template) => isTemplate(template) && partsOf(template).length >= 2,
  },
  whip: { schemes: ['http:', 'https:'], signings: ['none', 'bearer'], isAddress: isTemplate },
  srt: { schemes: ['srt:'], signings: ['none', 'passphrase'], isAddress: isSrtTemplate },
};

/** Throws 1003 by field. */
function pushColumns(box: SecretBox, { providerId, input, known }: Saving, pushed: Pushed): PlaceColumns {
  if (input.publishAddress === '') throw fieldError({ publishAddress: 'required' });
  if (input.baseAddress !== '') throw fieldError({ baseAddress: 'notAllowed' });
  if (!pushed.signings.includes(input.signing)) throw fieldError({ signing: 'notAllowed' });
  refuseTemplates(input, pushed);
  return {
    publish_address: input.publishAddress,
    rtmp_address: input.rtmpAddress,
    hls_address: input.hlsAddress,
    flv_address: input.flvAddress,
    base_address: '',
    signing: input.signing,
    signing_key: sealedKey(box, providerId, { input, known }),
  };
}

/** Its key is made here, once; nobody needs to know it. Throws 1003 by field. */
function originColumns(box: SecretBox, { providerId, input, known }: Saving): PlaceColumns {
  const { publishAddress, rtmpAddress, hlsAddress, flvAddress, signing, signingKey, baseAddress } = input;
  const isOfPush = { publishAddress, rtmpAddress, hlsAddress, flvAddress, signingKey: signingKey ?? '' };
  const wrong = Object.entries(isOfPush).filter(([, value]) => value !== '');
  if (signing !== 'none') wrong.push(['signing', signing]);
  if (wrong.length > 0) throw fieldError(Object.fromEntries(wrong.map(([field]) => [field, 'notAllowed' as const])));
  if (baseAddress !== '' && !URL.canParse(baseAddress)) throw fieldError({ baseAddress: 'format' });
  return {
    publish_address: '',
    rtmp_address: '',
    hls_address: '',
    flv_address: '',
    base_address: baseAddress,
    signing,
    signing_key: known?.signing_key ?? box.seal(newSecret(), providerId),
  };
}

/** The stream stands once in each, and nobody's password. */
function refuseTemplates({ publishAddress, rtmpAddress, hlsAddress, flvAddress }: Given, pushed: Pushed): void {
  const played = { rtmpAddress, hlsAddress, flvAddress };
  const wrong = Object.entries(played).filter(([, template]) => template !== '' && !isTemplate(template));
  const isPublished =
    pushed.schemes.some((scheme) => publishAddress.startsWith(scheme)) && pushed.isAddress(publishAddress);
  if (!isPublished) wrong.push(['publishAddress', publishAddress]);
  if (wrong.length > 0) throw fieldError(Object.fromEntries(wrong.map(([field]) => [field, 'format' as const])));
}

function partsOf(template: string): string[] {
  return new URL(template.replace(STREAM_PLACE, 'stream')).pathname.split('/').filter((part) => part !== '');
}

function isSrtTemplate(template: string): boolean {
  const address = template.replace(STREAM_PLACE, 'stream');
  const parsed = address.includes(STREAM_PLACE) ? null : parseSrtAddress(address);
  return parsed?.streamId.includes('stream') === true && URL.canParse(address);
}

function isTemplate(template: string): boolean {
  const address = template.replace(STREAM_PLACE, 'stream');
  if (address.includes(STREAM_PLACE) || !URL.canParse(address)) return false;
  const { hostname, username, hash } = new URL(address);
  const [path = ''] = template.split('/').slice(3).join('/').split('?');
  return hostname !== '' && username === '' && hash === '' && path.includes(STREAM_PLACE);
}

/** A kept key is used only for the host that it was kept for, and in the same way: another one asks for it anew. */
function sealedKey(
  box: SecretBox,
  providerId: string,
  { input, known }: { readonly input: Given; readonly known: ProviderWithTotal | undefined },
): Buffer {
  if (input.signing === 'none') return box.seal('', providerId);
  if (input.signingKey !== undefined) {
    if (input.signing === 'passphrase' && !isPassphrase(input.signingKey)) throw fieldError({ signingKey: 'format' });
    return box.seal(input.signingKey, providerId);
  }
  const isSamePlace = known !== undefined && placeOf(known.publish_address) === placeOf(input.publishAddress);
  if (!isSamePlace || known.signing === 'none') throw fieldError({ signingKey: 'required' });
  return known.signing_key;
}

/** With the protocol: a token must not go over a connection without TLS that it was not given for. */
function placeOf(template: string): string {
  const { protocol, host } = new URL(template.replace(STREAM_PLACE, 'stream'));
  return `${protocol}//${host}`;
}

function isPassphrase({ length }: string): boolean {
  return length >= SRT_PASSPHRASE.least && length <= SRT_PASSPHRASE.most;
}
