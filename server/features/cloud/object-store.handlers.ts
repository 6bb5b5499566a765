// Handlers of cloud/store/*: object stores of the installation, kept by its operator and tried before they are saved.
import type { CallParsed } from '@vedette/contract/calls/calls.ts';
import type { ObjectStoreInfo } from '@vedette/contract/calls/cloud.ts';
import { CLOUD_LIMITS } from '@vedette/contract/limits.ts';
import type { StoreReason } from '@vedette/contract/enumerations.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { CallError, fieldError, requireFound } from '../../core/call-error.ts';
import type { SecretBox } from '../../core/secret-box.ts';
import type { Database } from '../../database/connection.ts';
import {
  deleteObjectStore,
  findObjectStore,
  insertObjectStore,
  listObjectStores,
  type StoreColumns,
  type StoreWithTotal,
  updateObjectStore,
} from '../../database/media/cloud.queries.ts';
import type { Handlers } from '../../http/handler.ts';
import type { AssignmentSync } from '../../site-link/assignment-sync.ts';
import type { SitePort } from '../../site-link/site-port.ts';
import { toAccess } from './object-store.facts.ts';

export interface ObjectStoreDeps {
  readonly database: Database;
  readonly box: SecretBox;
  /** Tries stores: recordings are copied from there. */
  readonly site: SitePort;
  readonly assignmentSync: AssignmentSync;
}

type StorePath = 'cloud/store/list' | 'cloud/store/probe' | 'cloud/store/save' | 'cloud/store/delete';
type Access = Omit<CallParsed<'cloud/store/probe'>, 'storeId'>;

export function objectStoreHandlers(deps: ObjectStoreDeps): Handlers<StorePath> {
  const { database, assignmentSync } = deps;
  return {
    'cloud/store/list': async () => {
      const rows = await listObjectStores(database);
      return { total: rows.length, storeList: rows.map(toStoreInfo) };
    },
    'cloud/store/probe': async ({ input: { storeId, ...access }, audit }) => {
      audit.object = access.bucket;
      return await probe(deps, storeId, access);
    },
    'cloud/store/save': async ({ input, now, audit }) => {
      audit.object = input.storeName;
      const storeId = await saveStore(deps, input, now);
      await assignmentSync.settingsChanged();
      const saved = (await listObjectStores(database)).find((row) => row.store_id === storeId);
      return { storeInfo: toStoreInfo(requireFound(saved, 'notFound')) };
    },
    'cloud/store/delete': async ({ input: { storeId }, audit }) => {
      const row = (await listObjectStores(database)).find((one) => one.store_id === storeId);
      const { plan_total: planTotal, store_name: name } = requireFound(row, 'notFound');
      audit.object = name;
      if (planTotal > 0) throw new CallError('alreadyExists', { storeId: 'notAllowed' });
      await deleteObjectStore(database, storeId);
      await assignmentSync.settingsChanged();
      return {};
    },
  };
}

/** Throws 1003 by field where the store fails its probe, 1007, 1010 with the newer store, 1011. */
async function saveStore(deps: ObjectStoreDeps, input: CallParsed<'cloud/store/save'>, now: number): Promise<string> {
  const { database, box } = deps;
  const { storeId: known, version = 0, storeName, isDefault, ...access } = input;
  const { reason } = await probe(deps, known, access);
  if (reason !== null) throw fieldError({ [FIELD_OF[reason] ?? 'endpoint']: 'notAllowed' });
  const storeId = known ?? newId();
  const columns: StoreColumns = {
    store_name: storeName.trim(),
    endpoint: new URL(access.endpoint).origin,
    region: access.region,
    bucket: access.bucket,
    is_path_style: access.isPathStyle,
    access_key: access.accessKey,
    secret_key: box.seal(await secretOf(deps, known, access), storeId),
    prefix: access.prefix,
    is_default: isDefault,
  };
  if (known === undefined) {
    if ((await listObjectStores(database)).length >= CLOUD_LIMITS.stores) throw new CallError('quotaExceeded');
    await insertObjectStore(database, storeId, { columns, now });
    return storeId;
  }
  if (await updateObjectStore(database, { storeId, version }, columns)) return storeId;
  const newer = (await listObjectStores(database)).find((row) => row.store_id === storeId);
  throw new CallError('stale', toStoreInfo(requireFound(newer, 'notFound')));
}

/** Which field of the form a fault is most likely in; the address otherwise. */
const FIELD_OF: Partial<Record<StoreReason, string>> = {
  otherRegion: 'region',
  noBucket: 'bucket',
  keys: 'secretKey',
  denied: 'accessKey',
};

async function probe(deps: ObjectStoreDeps, storeId: string | undefined, access: Access) {
  const { pathname, search, hash, username } = new URL(access.endpoint);
  if (pathname !== '/' || search !== '' || hash !== '' || username !== '') throw fieldError({ endpoint: 'format' });
  const row = {
    store_id: storeId ?? 'probe',
    endpoint: new URL(access.endpoint).origin,
    region: access.region,
    bucket: access.bucket,
    is_path_style: access.isPathStyle,
    access_key: access.accessKey,
    prefix: access.prefix,
  };
  return await deps.site.call('storeProbe', { store: toAccess(row, await secretOf(deps, storeId, access)) });
}

/** A kept secret goes only where it was kept for: another address asks for it anew. */
async function secretOf(
  { database, box }: ObjectStoreDeps,
  storeId: string | undefined,
  { secretKey, endpoint }: Pick<Access, 'secretKey' | 'endpoint'>,
): Promise<string> {
  const row = storeId === undefined ? undefined : requireFound(await findObjectStore(database, storeId), 'notFound');
  if (secretKey !== undefined) return secretKey;
  if (row === undefined || row.endpoint !== new URL(endpoint).origin) throw fieldError({ secretKey: 'required' });
  return box.open(row.secret_key, row.store_id);
}

function toStoreInfo(row: StoreWithTotal): ObjectStoreInfo {
  const { secretKey: _secret, ...place } = toAccess(row, '');
  return {
    ...place,
    storeName: row.store_name,
    isDefault: row.is_default,
    planTotal: row.plan_total,
    version: row.version,
    createTime: row.created_at,
  };
}
