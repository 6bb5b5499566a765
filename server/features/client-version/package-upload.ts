// POST /api/v1/version/upload: one part of a package as octets, continued where an earlier one ended, and verified when it is whole.
import type { Readable } from 'node:stream';
import { type UploadInput, type UploadOutput, uploads } from '@vedette/contract/calls/calls.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { CLIENT_VERSION_LIMITS } from '@vedette/contract/limits.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { AuditWriter } from '../../audit/audit-writer.ts';
import { CallError, fieldError, requireFound } from '../../core/call-error.ts';
import { findClientVersion, storePackage } from '../../database/client-version.queries.ts';
import { DatabaseBusy } from '../../database/request-deadline.ts';
import type { ClientVersionRow } from '../../database/schema/client-version-schema.ts';
import { fieldErrors } from '../../http/field-errors.ts';
import { enforceRule, type RuleDeps, signIn } from '../../http/permission-rule.ts';
import { callerAddress } from '../../http/public-origin.ts';
import type { PackageFiles } from './package-files.ts';
import type { PublisherKeys } from './publisher-keys.ts';
import { isSigned } from './package-signature.ts';
import { toVersionInfo } from './version-info.ts';

export interface PackageUploadDeps extends RuleDeps {
  readonly auditWriter: Pick<AuditWriter, 'append'>;
  readonly log: Logger;
  readonly packages: PackageFiles;
  readonly publishers: PublisherKeys;
}

const PATH = '/api/v1/version/upload';
/** In the audit log a package is a change of its version. */
const CALL = 'version/save';
const RULE = { kind: 'userType', userTypes: [USER_TYPE.super, USER_TYPE.background] } as const;

export function packageUpload(deps: PackageUploadDeps): (app: FastifyInstance) => void {
  return (app) =>
    void app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      // The body is read only after authentication.
      scope.addContentTypeParser('application/octet-stream', (_request, _payload, done) => done(null));
      scope.post(PATH, { bodyLimit: CLIENT_VERSION_LIMITS.partBytes }, async (request, reply) => {
        void reply.header('cache-control', 'no-store');
        try {
          const data = await receive(deps, request);
          return await reply.send({ code: 200, message: 'success', data });
        } catch (error) {
          // The rest is not read: the gateway closes the connection.
          request.raw.resume();
          const { code, message, data } = refusalOf(error, deps.log);
          return await reply.header('connection', 'close').send({ code, message, data });
        }
      });
    });
}

function refusalOf(error: unknown, log: Logger): CallError {
  if (error instanceof CallError) return error;
  log.error({ err: error }, 'a package could not be received');
  return new CallError(error instanceof DatabaseBusy ? 'serviceBusy' : 'serverInternalError');
}

async function receive(
  deps: PackageUploadDeps,
  { headers, query, raw }: FastifyRequest,
): Promise<UploadOutput<'version/upload'>> {
  const { database, clock, auditWriter, packages, publishers } = deps;
  const token = /^Bearer ([^ ]{1,512})$/iu.exec(headers.authorization ?? '')?.[1] ?? null;
  const signedIn = await signIn(deps, token);
  await enforceRule(deps, RULE, signedIn, {});
  const part = uploads['version/upload'].input.safeParse(query);
  if (!part.success) throw fieldError(fieldErrors(part.error.issues, query));
  if (!(await publishers.isTrusted(part.data.publicKey))) throw fieldError({ publicKey: 'notAllowed' });
  const row = requireFound(await findClientVersion(database, part.data.versionId), 'notFound');
  if (row.is_published && row.sha256 !== '') throw fieldError({ versionId: 'notAllowed' });
  const kept = await packages.alone(row.version_id, () => keepPart(deps, row, part.data, raw));
  if (kept.sha256 !== '' && kept.version !== row.version) {
    const { userId, sessionId } = signedIn.principal;
    const who = { accountId: userId, sessionId, ownerIds: [], address: callerAddress(headers) };
    const object = `${kept.version_name} ${kept.external_version}`;
    await auditWriter.append({ at: clock.wallMs(), ...who, object, call: CALL, kind: 'write', code: 200 });
  }
  return { versionInfo: toVersionInfo(kept, await packages.received(kept.version_id)) };
}

async function keepPart(
  { database, clock, packages }: PackageUploadDeps,
  row: ClientVersionRow,
  { versionId, offset, size, fileName, signature, publicKey }: UploadInput<'version/upload'>,
  from: Readable,
): Promise<ClientVersionRow> {
  const most = Math.min(CLIENT_VERSION_LIMITS.partBytes, size - offset);
  const receivedBytes = await packages.append({ versionId, offset, most, from });
  if (receivedBytes < size) return row;
  const sha256 = await packages.sha256OfPartial(versionId);
  if (!isSigned({ sha256, signature, publicKey })) {
    await packages.dropPartial(versionId);
    throw fieldError({ signature: 'notAllowed' });
  }
  const stored = { file_name: cleanName(fileName), size_bytes: size, sha256, signature, public_key: publicKey };
  const kept = requireFound(await storePackage(database, versionId, { stored, now: clock.wallMs() }), 'notFound');
  await packages.commit(versionId);
  return kept;
}

/** Of a path, its last part; only what any file system and any header takes. */
function cleanName(given: string): string {
  const name = (given.split(/[\\/]/u).at(-1) ?? '').replaceAll(/[^\p{L}\p{N} ._+()-]/gu, '').replace(/^\.+/u, '');
  return [...name].slice(0, 128).join('').trim() || 'package';
}
