// Handlers of backup/plan/*: where backups are put, tried before it is saved; the launcher takes them.
import type { BackupPlan, backupPlanCalls, BackupTarget } from '@vedette/contract/calls/backup-plan.ts';
import type { CallOutput, CallParsed } from '@vedette/contract/calls/calls.ts';
import { Semaphore } from '@vedette/foundation/concurrency/semaphore.ts';
import { CallError, fieldError } from '../../core/call-error.ts';
import type { SecretBox } from '../../core/secret-box.ts';
import type { Handlers } from '../../http/handler.ts';
import type { SitePort } from '../../site-link/site-port.ts';
import { readPlan, sealedFor, type StoredPlan, writePlan } from './plan-file.ts';
import { probeFolder } from './probe-folder.ts';

export interface BackupPlanDeps {
  readonly box: SecretBox;
  readonly dataFolder: string;
  /** Tries buckets under the network policy, as it does for copies of recordings. */
  readonly site: SitePort;
  /** The place that the operator named at the start: it stays. */
  readonly backupPlace: string | null;
}

type GivenTarget = CallParsed<'backup/plan/save'>['target'];
type GivenBucket = Extract<GivenTarget, { readonly kind: 'bucket' }>;
type Probe = CallOutput<'backup/plan/probe'>;

const PASSED: Probe = { step: null, reason: null };

export function backupPlanHandlers(deps: BackupPlanDeps): Handlers<keyof typeof backupPlanCalls> {
  const { dataFolder, backupPlace } = deps;
  // Two edits of one version at a time: the second finds the newer one.
  const saving = new Semaphore({ places: 1 });
  return {
    'backup/plan/get': async () => ({ plan: toPlan(await readPlan(dataFolder), backupPlace) }),
    'backup/plan/probe': async ({ input: { target }, audit }) => {
      audit.object = nameOf(target);
      return await probe(deps, target, await readPlan(dataFolder));
    },
    'backup/plan/save': async ({ input, audit }) => {
      audit.object = nameOf(input.target);
      if (backupPlace !== null) throw new CallError('functionNotSupported');
      const saved = await saving.run(() => save(deps, input));
      return { plan: toPlan(saved, backupPlace) };
    },
  };
}

/** Throws 1003 by field where the place fails its probe, 1010 with the newer plan. */
async function save(deps: BackupPlanDeps, input: CallParsed<'backup/plan/save'>): Promise<StoredPlan> {
  const { box, dataFolder, backupPlace } = deps;
  const { version, target, hours, keep } = input;
  const before = await readPlan(dataFolder);
  if (before.version !== version) throw new CallError('stale', toPlan(before, backupPlace));
  const { reason } = await probe(deps, target, before);
  if (reason !== null) throw fieldError({ [fieldOf(reason)]: 'notAllowed' });
  const stored = storedTarget(target);
  const secret =
    target.kind === 'bucket' && stored.kind === 'bucket'
      ? box.seal(secretOf(deps, target, before), sealedFor(stored)).toString('base64')
      : null;
  const plan = { version: version + 1, target: stored, hours, keep, secret };
  await writePlan(dataFolder, plan);
  return plan;
}

async function probe(deps: BackupPlanDeps, target: GivenTarget, plan: StoredPlan): Promise<Probe> {
  if (target.kind === 'none') return PASSED;
  if (target.kind === 'folder') return await probeFolder(target.folder, deps.dataFolder);
  const { kind: _kind, secretKey: _secret, ...place } = target;
  const store = { ...place, storeId: 'backup', endpoint: originOf(target), secretKey: secretOf(deps, target, plan) };
  return await deps.site.call('storeProbe', { store });
}

/** A kept secret goes only where it was kept for. */
function secretOf({ box }: BackupPlanDeps, given: GivenBucket, { target, secret }: StoredPlan): string {
  if (given.secretKey !== undefined) return given.secretKey;
  const isKept =
    secret !== null &&
    target.kind === 'bucket' &&
    target.endpoint === originOf(given) &&
    target.bucket === given.bucket &&
    target.accessKey === given.accessKey;
  if (!isKept) throw fieldError({ secretKey: 'required' });
  return box.open(Buffer.from(secret, 'base64'), sealedFor(target));
}

function originOf({ endpoint }: GivenBucket): string {
  const { origin, pathname, search, hash, username, password } = new URL(endpoint);
  if (pathname !== '/' || search + hash + username + password !== '') throw fieldError({ endpoint: 'format' });
  return origin;
}

function storedTarget(target: GivenTarget): BackupTarget {
  if (target.kind !== 'bucket') return target;
  const { secretKey: _secret, ...place } = target;
  return { ...place, endpoint: originOf(target) };
}

/** Which field of the form a fault is most likely in; the address otherwise. */
const FIELD_OF: Readonly<Record<string, string>> = {
  otherRegion: 'region',
  noBucket: 'bucket',
  keys: 'secretKey',
  denied: 'accessKey',
};

function fieldOf(reason: NonNullable<Probe['reason']>): string {
  return reason.startsWith('folder') ? 'folder' : (FIELD_OF[reason] ?? 'endpoint');
}

function nameOf(target: GivenTarget): string {
  if (target.kind === 'none') return '';
  return target.kind === 'folder' ? target.folder : target.bucket;
}

function toPlan({ target, hours, keep, version }: StoredPlan, startPlace: string | null): BackupPlan {
  return { target, hours, keep, version, startPlace };
}
