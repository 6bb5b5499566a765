// The wrapper around every call (CA-01): envelope, token, base address, timeout, messages, session end, upload mode.
import type {
  CallInput,
  CallOutput,
  CallPath,
  Envelope,
  UploadInput,
  UploadOutput,
  UploadPath,
} from '@vedette/contract/calls/calls.ts';
import { ERROR_CODES, type LockReason, SESSION_ENDING_CODES, SUCCESS } from '@vedette/contract/errors.ts';
import { CallFailure, failureReason, NetworkFailure } from './call-failure.ts';
import { type FormRequest, postForm } from './post-form.ts';
import type { Transport, TransportRequest } from './transport.ts';

/** Tries that failed lock a sign-in, never a session that is there. */
function endsSession({ code, data }: Pick<Envelope, 'code' | 'data'>): boolean {
  return SESSION_ENDING_CODES.has(code) && failureReason(data) !== ('tooManyAttempts' satisfies LockReason);
}

export interface CallOptions {
  readonly method?: string;
  /** None by default. */
  readonly timeoutMs?: number;
  /** Shows the failure's message; on by default, off for the calls that CA-08 names. */
  readonly showError?: boolean;
  /** Shows a success message; off by default, on for device/delete. */
  readonly showSuc?: boolean;
  /** Called with no argument when no answer came; without it a network failure is silent (ER-04). */
  readonly catchNetError?: () => void;
  readonly signal?: AbortSignal;
  /** Of a call that ends something: it goes on when the page leaves. */
  readonly keepalive?: boolean;
  /** Sends the file as the body (octet-stream) instead of JSON; the input goes to the query. */
  readonly upload?: { readonly file: Blob; readonly onProgress?: (fraction: number) => void };
}

/** Of a call that sends a file. */
export type UploadOptions = CallOptions & Required<Pick<CallOptions, 'upload'>>;

export interface CallerOptions {
  readonly transport: Transport;
  /** What stands before a call's path, without a slash at its end: `/api/v1`, or another server's. */
  readonly baseUrl: () => string;
  readonly token: () => string | null;
  readonly onError: (code: number, message: string, data: unknown) => void;
  readonly onSuccess: (isUpload: boolean) => void;
  /** 1001, 1002, 2031 on a call that carried this token (ST-05). */
  readonly onSessionEnd: (code: number, token: string) => void;
  /** 1040: asks for the password again; true where the call may be made once more. */
  readonly onStepUp?: (data: unknown) => Promise<boolean>;
  /** Whose answer carried a token tells the newest event that may stand in it. */
  readonly onEventNumber?: (event: number) => void;
}

export interface Caller {
  /** The whole envelope, whatever its code. Rejects with NetworkFailure alone. */
  send<P extends CallPath>(path: P, input: CallInput<P>, options?: CallOptions): Promise<Envelope<CallOutput<P>>>;
  /** The data of a success; rejects with CallFailure or NetworkFailure. */
  ask<P extends CallPath>(path: P, input: CallInput<P>, options?: CallOptions): Promise<CallOutput<P>>;
  /** Sends a part of a file: the input goes to the query. Rejects as `ask`. */
  upload<P extends UploadPath>(path: P, input: UploadInput<P>, options: UploadOptions): Promise<UploadOutput<P>>;
  /** What is no call: a file as a multipart form (CA-07). */
  postForm(wish: FormRequest): Promise<unknown>;
}

const SILENT_CALLS: ReadonlySet<string> = new Set<CallPath>(['device/capacity', 'capture/get', 'device/get']);
const LOUD_CALLS: ReadonlySet<string> = new Set<CallPath>(['device/delete']);

function readEnvelope(text: string, status: number): Envelope {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new NetworkFailure(`no envelope in an answer with status ${status}`, { cause });
  }
  if (typeof value !== 'object' || value === null || !('code' in value) || typeof value.code !== 'number')
    throw new NetworkFailure(`no envelope in an answer with status ${status}`);
  const { message, data } = value as { message?: unknown; data?: unknown };
  return { code: value.code, message: typeof message === 'string' ? message : '', data };
}

function queryOf(input: unknown): string {
  const entries = Object.entries((input ?? {}) as Record<string, unknown>).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`;
}

function limit(options: CallOptions): AbortSignal | null {
  const signals = [
    ...(options.signal === undefined ? [] : [options.signal]),
    ...(options.timeoutMs === undefined ? [] : [AbortSignal.timeout(options.timeoutMs)]),
  ];
  return signals.length === 0 ? null : AbortSignal.any(signals);
}

interface Letter {
  readonly path: string;
  readonly input: unknown;
  readonly token: string | null;
  readonly options: CallOptions;
}

function requestOf(baseUrl: string, { path, input, token, options }: Letter): TransportRequest {
  const url = `${baseUrl}/${path}`;
  const usual = { method: options.method ?? 'POST', signal: limit(options) };
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  const { upload } = options;
  if (upload === undefined) {
    const headers = { 'content-type': 'application/json', ...authorization };
    const body = JSON.stringify(input ?? {});
    return { ...usual, url, headers, body, ...(options.keepalive === true && { keepalive: true }) };
  }
  return {
    ...usual,
    url: `${url}${queryOf(input)}`,
    headers: { 'content-type': 'application/octet-stream', ...authorization },
    body: upload.file,
    onProgress: upload.onProgress ?? (() => undefined),
  };
}

async function carry(given: CallerOptions, letter: Letter): Promise<Envelope> {
  const { token, options } = letter;
  try {
    const answer = await given.transport(requestOf(given.baseUrl(), letter));
    if (token !== null && typeof answer.event === 'number') given.onEventNumber?.(answer.event);
    return readEnvelope(answer.text, answer.status);
  } catch (failure) {
    // Whoever aborts the call has gone: nobody is told.
    if (options.signal?.aborted !== true) options.catchNetError?.();
    throw failure instanceof NetworkFailure ? failure : new NetworkFailure('no answer', { cause: failure });
  }
}

/** A call that the session alone may not make is made again once its user has given the password. */
async function carryProved(given: CallerOptions, letter: Letter): Promise<Envelope> {
  const envelope = await carry(given, letter);
  if (envelope.code !== ERROR_CODES.stepUpRequired || letter.token === null) return envelope;
  return (await given.onStepUp?.(envelope.data)) === true ? await carry(given, letter) : envelope;
}

export function createCaller(given: CallerOptions): Caller {
  async function send(path: string, input: unknown, options: CallOptions = {}): Promise<Envelope> {
    const token = given.token();
    const envelope = await carryProved(given, { path, input, token, options });
    if (envelope.code === SUCCESS) {
      if (options.showSuc ?? (LOUD_CALLS.has(path) || options.upload !== undefined))
        given.onSuccess(options.upload !== undefined);
      return envelope;
    }
    if (options.showError ?? !SILENT_CALLS.has(path)) given.onError(envelope.code, envelope.message, envelope.data);
    if (token !== null && endsSession(envelope)) given.onSessionEnd(envelope.code, token);
    return envelope;
  }
  async function ask(path: string, input: unknown, options?: CallOptions): Promise<unknown> {
    const envelope = await send(path, input, options);
    if (envelope.code !== SUCCESS) throw new CallFailure(envelope.code, envelope.message, envelope.data);
    return envelope.data;
  }
  return {
    send: send as Caller['send'],
    ask: ask as Caller['ask'],
    upload: ask as Caller['upload'],
    postForm: (wish) => postForm(given, wish),
  };
}
