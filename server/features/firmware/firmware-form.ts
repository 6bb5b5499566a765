// Parses one multipart firmware upload: the file is streamed to disk, and any error ends it at once.
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { UPLOAD_LIMITS } from '@vedette/contract/limits.ts';
import { CallError, fieldError } from '../../core/call-error.ts';
import type { FirmwareStore, ReceivedFile } from './firmware-store.ts';

export interface ReadForm {
  readonly texts: Readonly<Record<string, string>>;
  readonly fileName: string;
  readonly file: ReceivedFile;
}

const FILE_FIELD = 'file';
const TEXTS = ['deviceModel', 'version'] as const;
/** No control or invisible characters: the shown name is the stored one. */
const TEXT = /^[^<>\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]{1,64}$/u;
/** Overhead of the form around the file. */
const FORM_BYTES = 64 * 1024;
/** Limit of the whole body: a form may contain endless data before, between and after its parts. */
export const UPLOAD_BODY_MAX = UPLOAD_LIMITS.bytes + FORM_BYTES;
const limits = {
  fileSize: UPLOAD_LIMITS.bytes,
  files: 1,
  fields: 8,
  parts: 10,
  fieldSize: 256,
  fieldNameSize: 64,
  headerPairs: 32,
};

export class FirmwareForm {
  readonly #packageId: string;
  readonly #store: FirmwareStore;
  readonly #texts: Record<string, string> = {};
  readonly #ended = Promise.withResolvers<ReadForm>();
  #coming: BusboyFileStream | null = null;
  #received: Promise<ReceivedFile> | null = null;
  #fileName = '';
  #leave: () => void = () => undefined;

  constructor(packageId: string, store: FirmwareStore) {
    this.#packageId = packageId;
    this.#store = store;
  }

  /** Rejects with 1003 and the field, or 1011 for a file that is too large. */
  async read(headers: IncomingHttpHeaders, body: Readable): Promise<ReadForm> {
    const form = parserOf(headers);
    this.#leave = () => {
      body.unpipe(form);
      form.destroy();
    };
    form.on('field', (name, value) => {
      if (TEXTS.some((one) => one === name)) this.#texts[name] = value.trim();
    });
    form.on('file', (name, stream, given) => this.#receiveFile(name, stream, given));
    for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      form.on(event, () => this.#fail(fieldError({ file: 'tooBig' })));
    }
    const broken = (): void => this.#fail(fieldError({ file: 'format' }));
    form.on('error', broken);
    form.on('finish', () => this.#finish());
    body.once('error', broken);
    body.once('close', () => {
      if (!body.readableEnded) broken();
    });
    let came = 0;
    body.on('data', (chunk: Buffer) => {
      came += chunk.length;
      if (came > UPLOAD_BODY_MAX) this.#fail(new CallError('quotaExceeded', { file: 'tooLong' }));
    });
    body.pipe(form);
    // Aborted before listeners were attached: no further event will come.
    if (body.destroyed) broken();
    return await this.#ended.promise;
  }

  #receiveFile(name: string, stream: BusboyFileStream, given: string | undefined): void {
    // A part that is cut off is told on its own stream, whether it is read or not and even after it was destroyed.
    stream.on('error', (error: unknown) =>
      this.#fail(error instanceof CallError ? error : fieldError({ file: 'format' })),
    );
    if (name !== FILE_FIELD || this.#received !== null) {
      stream.resume();
      return;
    }
    this.#fileName = cleanName(given);
    this.#coming = stream;
    stream.once('limit', () => stream.destroy(new CallError('quotaExceeded', { file: 'tooLong' })));
    this.#received = this.#store.receive(this.#packageId, stream);
    this.#received.catch((error: Error) => this.#fail(error));
  }

  #finish(): void {
    const bad = TEXTS.find((name) => !TEXT.test(this.#texts[name] ?? ''));
    if (bad !== undefined) this.#fail(fieldError({ [bad]: this.#texts[bad] === undefined ? 'required' : 'format' }));
    else if (this.#received === null) this.#fail(fieldError({ [FILE_FIELD]: 'required' }));
    else {
      this.#received.then(
        (file) => {
          if (file.bytes === 0) this.#fail(fieldError({ [FILE_FIELD]: 'required' }));
          else this.#ended.resolve({ texts: this.#texts, fileName: this.#fileName, file });
        },
        (error: Error) => this.#fail(error),
      );
    }
  }

  /** Ends the stream to the writer, which must close the file first. */
  #fail(error: Error): void {
    this.#leave();
    this.#coming?.destroy(error);
    const refuse = (): void => this.#ended.reject(error);
    Promise.resolve(this.#received).then(refuse, refuse);
  }
}

/** Throws 1003 for a type of content without a boundary (RFC 7578 4.1). */
function parserOf(headers: IncomingHttpHeaders): BusboyInstance {
  try {
    return new Busboy({ headers: headers as BusboyHeaders, limits });
  } catch {
    throw fieldError({ file: 'format' });
  }
}

/** For display only. */
function cleanName(given: string | undefined): string {
  const name = (given ?? '').split(/[\\/]/u).at(-1) ?? '';
  return [...name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>]/gu, '').toWellFormed()].slice(0, 128).join('');
}
