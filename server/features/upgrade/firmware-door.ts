// POST /upload/firmware: one file with its model and version as a multipart form (CA-07), streamed to disk, bounded in every way.
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { ERROR_CODES, type ErrorName } from '@vedette/contract/errors.ts';
import { UPLOAD_LIMITS } from '@vedette/contract/limits.ts';
import { accountPermissions } from '@vedette/rules/decide/account-flags.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { CallError, fieldError } from '../../call-error.ts';
import { appendAudit } from '../../database/audit.queries.ts';
import { insertPackage, packagesOf } from '../../database/upgrade.queries.ts';
import { signIn, type RuleParts } from '../../http/permission-rule.ts';
import { callerAddress } from '../../http/public-origin.ts';
import { newId } from '../../randomness.ts';
import { packageOwner, toPackage } from './firmware-package.ts';
import type { FirmwareStore, ReceivedFile } from './firmware-store.ts';

export interface FirmwareDoorParts extends RuleParts {
  readonly log: Logger;
  readonly firmware: FirmwareStore;
}

const PATH = '/upload/firmware';
/** Of the form around the file. */
const FORM_BYTES = 64 * 1024;
const FILE_FIELD = 'file';
const TEXTS = ['deviceModel', 'version'] as const;
const TEXT = /^[^<>\p{Cc}]{1,64}$/u;
/** HTTP statuses where no envelope of a call can be given; all else is 400. */
const STATUS: Readonly<Record<number, number>> = {
  [ERROR_CODES.tokenInvalid]: 401,
  [ERROR_CODES.tokenExpired]: 401,
  [ERROR_CODES.permissionDenied]: 403,
  [ERROR_CODES.quotaExceeded]: 413,
  [ERROR_CODES.serverInternalError]: 500,
};

interface Form {
  readonly texts: Readonly<Record<string, string>>;
  readonly fileName: string;
  readonly file: ReceivedFile;
}

export function firmwareDoor(parts: FirmwareDoorParts): (app: FastifyInstance) => void {
  return (app) =>
    void app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      // The body is read where it is known who sends it.
      scope.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
      scope.post(PATH, { bodyLimit: UPLOAD_LIMITS.bytes + FORM_BYTES }, async (request, reply) => {
        try {
          const data = await receive(parts, request.headers, request.raw);
          return await reply.header('cache-control', 'no-store').send({ code: 200, message: 'success', data });
        } catch (error) {
          // What still comes is not read: the front ends it.
          request.raw.resume();
          return answer(reply, error, parts.log);
        }
      });
    });
}

async function receive(parts: FirmwareDoorParts, headers: IncomingHttpHeaders, body: Readable) {
  const { database, clock, firmware } = parts;
  const token = /^Bearer ([^ ]{1,512})$/iu.exec(headers.authorization ?? '')?.[1] ?? null;
  const { principal, rights } = await signIn(parts, token);
  const { subject, grants, now } = await rights();
  if (!accountPermissions(subject, grants, now).includes('DeviceManage')) throw new CallError('permissionDenied');
  const ownerId = packageOwner(principal);
  if ((await packagesOf(database, ownerId)).length >= UPLOAD_LIMITS.packages) throw new CallError('quotaExceeded');
  const packageId = newId();
  try {
    const { texts, fileName, file } = await readForm(headers, body, packageId, firmware);
    const row = {
      package_id: packageId,
      owner_id: ownerId,
      device_model: texts['deviceModel'] ?? '',
      version: texts['version'] ?? '',
      file_name: fileName,
      size_bytes: file.bytes,
      sha256: file.sha256,
      created_at: clock.now(),
    };
    await firmware.keep(packageId);
    await insertPackage(database, row);
    const object = `${row.device_model} ${row.version}`;
    const who = { accountId: principal.userId, sessionId: principal.sessionId, ownerIds: [ownerId] };
    const what = {
      object,
      address: callerAddress(headers),
      call: 'upload/firmware',
      kind: 'write',
      code: 200,
    } as const;
    await appendAudit(database, { at: clock.now(), ...who, ...what });
    return toPackage(row);
  } catch (error) {
    await firmware.drop(packageId);
    throw error;
  }
}

/** Rejects with 1003 and the field, or 1011 for a file that is too large. */
function readForm(
  headers: IncomingHttpHeaders,
  body: Readable,
  packageId: string,
  firmware: FirmwareStore,
): Promise<Form> {
  const texts: Record<string, string> = {};
  let held: Promise<Form['file']> | null = null;
  let coming: Readable | null = null;
  let fileName = '';
  return new Promise((resolve, reject) => {
    const form = new Busboy({
      headers: headers as BusboyHeaders,
      limits: {
        fileSize: UPLOAD_LIMITS.bytes,
        files: 1,
        fields: 8,
        parts: 10,
        fieldSize: 256,
        fieldNameSize: 64,
        headerPairs: 32,
      },
    });
    const fail = (error: Error): void => {
      body.unpipe(form);
      // Whoever writes the file hears that it ends here.
      form.destroy();
      coming?.destroy(error);
      Promise.resolve(held).then(
        () => reject(error),
        () => reject(error),
      );
    };
    form.on('field', (name, value) => {
      if (TEXTS.some((one) => one === name)) texts[name] = value.trim();
    });
    form.on('file', (name, stream, given) => {
      if (name !== FILE_FIELD || held !== null) {
        stream.resume();
        return;
      }
      fileName = cleanName(given);
      stream.once('limit', () => stream.destroy(new CallError('quotaExceeded', { file: 'tooLong' })));
      coming = stream;
      held = firmware.receive(packageId, stream);
      held.catch((error: Error) => fail(error));
    });
    for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      form.on(event, () => fail(fieldError({ file: 'tooBig' })));
    }
    form.on('error', () => fail(fieldError({ file: 'format' })));
    form.on('finish', () => {
      const bad = TEXTS.find((name) => !TEXT.test(texts[name] ?? ''));
      if (bad !== undefined) return fail(fieldError({ [bad]: texts[bad] === undefined ? 'required' : 'format' }));
      if (held === null) return fail(fieldError({ [FILE_FIELD]: 'required' }));
      held.then((file) => {
        if (file.bytes === 0) fail(fieldError({ [FILE_FIELD]: 'required' }));
        else resolve({ texts, fileName, file });
      }, reject);
    });
    body.once('aborted', () => fail(fieldError({ file: 'format' })));
    body.once('error', () => fail(fieldError({ file: 'format' })));
    body.once('close', () => {
      if (!body.readableEnded) fail(fieldError({ file: 'format' }));
    });
    body.pipe(form);
  });
}

/** For showing alone. */
function cleanName(given: string | undefined): string {
  const name = (given ?? '').split(/[\\/]/u).at(-1) ?? '';
  return [...name.replaceAll(/[\p{Cc}<>]/gu, '').toWellFormed()].slice(0, 128).join('');
}

function answer(reply: FastifyReply, error: unknown, log: Logger): FastifyReply {
  const refusal = error instanceof CallError ? error : new CallError('serverInternalError');
  if (refusal !== error) log.error({ err: error }, 'an upload failed');
  const message: string = refusal.message satisfies string as ErrorName;
  return reply
    .code(STATUS[refusal.code] ?? 400)
    .header('cache-control', 'no-store')
    .header('connection', 'close')
    .send({ code: refusal.code, message, data: refusal.data, error: message });
}
