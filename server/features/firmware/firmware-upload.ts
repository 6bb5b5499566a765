// POST /upload/firmware: one multipart form with file, model and version (CA-07), streamed to disk within limits.
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { ERROR_CODES, type ErrorName } from '@vedette/contract/errors.ts';
import { accountPermissions } from '@vedette/rules/decide/account-flags.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Principal } from '../../auth/principal.ts';
import type { AuditWriter } from '../../audit/audit-writer.ts';
import { CallError } from '../../core/call-error.ts';
import { DatabaseBusy } from '../../database/request-deadline.ts';
import { insertPackage } from '../../database/device/firmware.queries.ts';
import { signIn, type RuleDeps } from '../../http/permission-rule.ts';
import { callerAddress } from '../../http/public-origin.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { refuseExceeded, withinQuota } from '../../quota/reserve-quota.ts';
import { packageOwner, toPackage } from './firmware-package.ts';
import { FirmwareForm, UPLOAD_BODY_MAX } from './firmware-form.ts';
import type { FirmwareStore } from './firmware-store.ts';
import { UploadSemaphore } from './upload-semaphore.ts';

export interface FirmwareUploadDeps extends RuleDeps {
  readonly auditWriter: Pick<AuditWriter, 'append'>;
  readonly log: Logger;
  readonly firmware: FirmwareStore;
}

const PATH = '/upload/firmware';
/** HTTP statuses where an envelope is not possible; all others are 400. */
const STATUS: Readonly<Record<number, number>> = {
  [ERROR_CODES.tokenInvalid]: 401,
  [ERROR_CODES.tokenExpired]: 401,
  [ERROR_CODES.permissionDenied]: 403,
  [ERROR_CODES.quotaExceeded]: 413,
  [ERROR_CODES.serverInternalError]: 500,
  [ERROR_CODES.serviceBusy]: 503,
};

export function firmwareUpload(deps: FirmwareUploadDeps): (app: FastifyInstance) => void {
  const semaphore = new UploadSemaphore();
  return (app) =>
    void app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      // The body is read only after authentication.
      scope.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
      scope.post(PATH, { bodyLimit: UPLOAD_BODY_MAX }, async (request, reply) => {
        try {
          const data = await receive(deps, semaphore, request);
          return await reply.header('cache-control', 'no-store').send({ code: 200, message: 'success', data });
        } catch (error) {
          // The rest is not read: the gateway closes the connection.
          request.raw.resume();
          return answer(reply, error, deps.log);
        }
      });
    });
}

async function receive(deps: FirmwareUploadDeps, semaphore: UploadSemaphore, { headers, raw }: FastifyRequest) {
  const token = /^Bearer ([^ ]{1,512})$/iu.exec(headers.authorization ?? '')?.[1] ?? null;
  const { principal, rights } = await signIn(deps, token);
  const { subject, grants, now } = await rights();
  if (!accountPermissions(subject, grants, now).includes('DeviceManage')) throw new CallError('permissionDenied');
  const ownerId = packageOwner(principal);
  return await semaphore.run(ownerId, () => keepUpload(deps, { principal, ownerId, headers, body: raw }));
}

interface Upload {
  readonly principal: Principal;
  readonly ownerId: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

async function keepUpload(
  { database, clock, auditWriter, firmware }: FirmwareUploadDeps,
  { principal, ownerId, headers, body }: Upload,
) {
  const take = { firmwarePackages: 1, firmwareBytes: 1 };
  await refuseExceeded(database, { accountId: ownerId, now: clock.wallMs(), take });
  const packageId = newId();
  try {
    const { texts, fileName, file } = await new FirmwareForm(packageId, firmware).read(headers, body);
    const row = {
      package_id: packageId,
      owner_id: ownerId,
      device_model: texts['deviceModel'] ?? '',
      version: texts['version'] ?? '',
      file_name: fileName,
      size_bytes: file.bytes,
      sha256: file.sha256,
      created_at: clock.wallMs(),
    };
    await firmware.commit(packageId);
    const whole = { accountId: ownerId, now: clock.wallMs(), take: { ...take, firmwareBytes: file.bytes } };
    await withinQuota(database, whole, (transaction) => insertPackage(transaction, row));
    const object = `${row.device_model} ${row.version}`;
    const who = { accountId: principal.userId, sessionId: principal.sessionId, ownerIds: [ownerId] };
    const what = {
      object,
      address: callerAddress(headers),
      call: 'upload/firmware',
      kind: 'write',
      code: 200,
    } as const;
    await auditWriter.append({ at: clock.wallMs(), ...who, ...what });
    return toPackage(row);
  } catch (error) {
    await firmware.drop(packageId);
    throw error;
  }
}

function answer(reply: FastifyReply, error: unknown, log: Logger): FastifyReply {
  const unknown = new CallError(error instanceof DatabaseBusy ? 'serviceBusy' : 'serverInternalError');
  const refusal = error instanceof CallError ? error : unknown;
  if (refusal !== error) log.error({ err: error }, 'an upload failed');
  const message: string = refusal.message satisfies string as ErrorName;
  return reply
    .code(STATUS[refusal.code] ?? 400)
    .header('cache-control', 'no-store')
    .header('connection', 'close')
    .send({ code: refusal.code, message, data: refusal.data, error: message });
}
