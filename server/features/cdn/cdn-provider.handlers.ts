// Handlers of cdn/provider/*: CDN providers of the installation, kept by its operator.
import type { CallParsed } from '@vedette/contract/calls/calls.ts';
import type { CdnProvider } from '@vedette/contract/calls/cdn.ts';
import type { CdnProviderKind } from '@vedette/contract/enumerations.ts';
import { CDN_LIMITS } from '@vedette/contract/limits.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
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
import { secretOf } from './provider-addresses.ts';
import { placeColumns } from './provider-columns.ts';
import { publishAddress } from './stream-address.ts';

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
      return await site.call('pushProbe', { url, ...secretOf(box, row) });
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
    ...placeColumns(box, sealed),
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
