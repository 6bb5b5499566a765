// Handlers of cdn/provider/*: CDN providers of the installation, kept by its operator.
import type { CallParsed } from '@vedette/contract/calls/calls.ts';
import type { CdnProvider } from '@vedette/contract/calls/cdn.ts';
import type { CdnProviderKind } from '@vedette/contract/enumerations.ts';
import { CDN_LIMITS } from '@vedette/contract/limits.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { newSecret } from '@vedette/foundation/random/secrets.ts';
import { CallError, fieldError, requireFound } from '../../core/call-error.ts';
import type { SecretBox } from '../../core/secret-box.ts';
import type { Database } from '../../database/connection.ts';
import {
  deleteProvider,
  insertProvider,
  listProviders,
  type ProviderColumns,
  type ProviderWithTotal,
  updateProvider,
} from '../../database/media/cdn.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import type { SitePort } from '../../site-link/site-port.ts';
import { publishAddress, STREAM_PLACE } from './stream-address.ts';

export interface CdnProviderDeps {
  readonly database: Database;
  readonly box: SecretBox;
  /** Tests providers: most streams are pushed from there. */
  readonly site: SitePort;
}

type ProviderPath = 'cdn/provider/list' | 'cdn/provider/save' | 'cdn/provider/delete' | 'cdn/provider/test';
type Given = CallParsed<'cdn/provider/save'>;

const PROBED_STREAM = { channelId: 'test', quality: 0 } as const;
const PROBE_VALID_S = 600;

export function cdnProviderHandlers(deps: CdnProviderDeps): Handlers<ProviderPath> {
  const { database, box, site } = deps;
  const find = async (providerId: string): Promise<ProviderWithTotal> =>
    requireFound(
      (await listProviders(database)).find((row) => row.provider_id === providerId),
      'notFound',
    );
  return {
    'cdn/provider/list': async () => {
      const rows = await listProviders(database);
      return { total: rows.length, providerList: rows.map(toProvider) };
    },
    'cdn/provider/save': async ({ input, now, audit }) => {
      audit.object = input.providerName;
      const known = input.providerId === undefined ? undefined : await find(input.providerId);
      return { provider: toProvider(await find(await save(deps, input, { known, now }))) };
    },
    'cdn/provider/delete': async ({ input: { providerId }, audit }) => {
      const { live_total: liveTotal, provider_name: name } = await find(providerId);
      audit.object = name;
      if (liveTotal > 0) throw new CallError('alreadyExists', { providerId: 'notAllowed' });
      await deleteProvider(database, providerId);
      return {};
    },
    'cdn/provider/test': async ({ input: { providerId }, now, audit }) => {
      const row = await find(providerId);
      audit.object = row.provider_name;
      if (row.kind === 'origin') throw new CallError('functionNotSupported');
      const provider = {
        template: row.publish_address,
        signing: row.signing,
        key: box.open(row.signing_key, providerId),
      };
      const url = publishAddress(provider, PROBED_STREAM, Math.floor(now / 1000) + PROBE_VALID_S);
      return await site.call('pushProbe', { url });
    },
  };
}

/** Id of the saved row. Throws 1003 by field, 1010 with the newer provider, 1011. */
async function save(
  { database, box }: CdnProviderDeps,
  input: Given,
  { known, now }: { readonly known: ProviderWithTotal | undefined; readonly now: number },
): Promise<string> {
  if (known !== undefined && known.kind !== input.kind) throw fieldError({ kind: 'notAllowed' });
  const providerId = known?.provider_id ?? newId();
  const sealed = { providerId, input, known };
  const columns: ProviderColumns = {
    provider_name: input.providerName.trim(),
    kind: input.kind,
    valid_minutes: input.validMinutes,
    ...(input.kind === 'origin' ? originColumns(box, sealed) : pushColumns(box, sealed)),
  };
  if (known === undefined) {
    refuseMore(await listProviders(database), input.kind);
    await insertProvider(database, providerId, { columns, now });
  } else if (!(await updateProvider(database, { providerId, version: input.version ?? 0 }, columns)))
    throw new CallError('stale', toProvider(known));
  return providerId;
}

/** Throws 1011 where there are as many as may be, 1016 where there is an origin. */
function refuseMore(providers: readonly ProviderWithTotal[], kind: CdnProviderKind): void {
  if (providers.length >= CDN_LIMITS.providers) throw new CallError('quotaExceeded');
  const isSecond = kind === 'origin' && providers.some((one) => one.kind === kind);
  if (isSecond) throw new CallError('alreadyExists', { kind: 'notAllowed' });
}

interface Saving {
  readonly providerId: string;
  readonly input: Given;
  readonly known: ProviderWithTotal | undefined;
}

type PlaceColumns = Omit<ProviderColumns, 'provider_name' | 'kind' | 'valid_minutes'>;

/** Throws 1003 by field. */
function pushColumns(box: SecretBox, { providerId, input, known }: Saving): PlaceColumns {
  if (input.publishAddress === '') throw fieldError({ publishAddress: 'required' });
  if (input.baseAddress !== '') throw fieldError({ baseAddress: 'notAllowed' });
  refuseTemplates(input);
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

/** The stream stands once in the path, and nobody's password in the address. */
function refuseTemplates({ publishAddress: publish, rtmpAddress, hlsAddress, flvAddress }: Given): void {
  const templates = { publishAddress: publish, rtmpAddress, hlsAddress, flvAddress };
  const wrong = Object.entries(templates).filter(([, template]) => template !== '' && !isTemplate(template));
  if (wrong.length > 0) throw fieldError(Object.fromEntries(wrong.map(([field]) => [field, 'format' as const])));
  const { pathname } = new URL(publish.replace(STREAM_PLACE, 'stream'));
  // An application, and the name behind it.
  if (pathname.split('/').filter((part) => part !== '').length < 2) throw fieldError({ publishAddress: 'format' });
}

function isTemplate(template: string): boolean {
  const address = template.replace(STREAM_PLACE, 'stream');
  if (address.includes(STREAM_PLACE) || !URL.canParse(address)) return false;
  const { hostname, username, hash } = new URL(address);
  const [path = ''] = template.split('/').slice(3).join('/').split('?');
  return hostname !== '' && username === '' && hash === '' && path.includes(STREAM_PLACE);
}

/** A kept key signs only for the host that it was kept for: another one asks for it anew. */
function sealedKey(
  box: SecretBox,
  providerId: string,
  { input, known }: { readonly input: Given; readonly known: ProviderWithTotal | undefined },
): Buffer {
  if (input.signing === 'none') return box.seal('', providerId);
  if (input.signingKey !== undefined) return box.seal(input.signingKey, providerId);
  const isSameHost = known !== undefined && hostOf(known.publish_address) === hostOf(input.publishAddress);
  if (!isSameHost || known.signing === 'none') throw fieldError({ signingKey: 'required' });
  return known.signing_key;
}

function hostOf(template: string): string {
  return new URL(template.replace(STREAM_PLACE, 'stream')).host;
}

function toProvider(row: ProviderWithTotal): CdnProvider {
  return {
    providerId: row.provider_id,
    providerName: row.provider_name,
    kind: row.kind,
    publishAddress: row.publish_address,
    rtmpAddress: row.rtmp_address,
    hlsAddress: row.hls_address,
    flvAddress: row.flv_address,
    baseAddress: row.base_address,
    signing: row.signing,
    validMinutes: row.valid_minutes,
    liveTotal: Number(row.live_total),
    version: row.version,
    createTime: row.created_at,
  };
}
