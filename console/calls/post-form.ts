// Sends one file as a multipart form to a configurable address (CA-07): field name, extra fields, headers, credentials; answers JSON where it is.
import { NetworkFailure } from './call-failure.ts';
import type { Transport } from './transport.ts';

export interface FormPlace {
  readonly transport: Transport;
  readonly token: () => string | null;
  /** Of the calls; its origin is that of a path. */
  readonly baseUrl: () => string;
}

export interface FormRequest {
  /** Path on the server, or a whole address. */
  readonly action: string;
  readonly file: File;
  /** `file` by default. */
  readonly name?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends the session along: on by default for our own server. */
  readonly withCredentials?: boolean;
  readonly onProgress?: (percentage: number) => void;
  readonly signal?: AbortSignal;
}

/** The server's words for a refusal. */
export class UploadFailure extends Error {
  override readonly name = 'UploadFailure';
  readonly status: number;
  /** The answer's body, parsed where it is JSON. */
  readonly response: unknown;

  constructor(message: string, status: number, response: unknown) {
    super(message);
    this.status = status;
    this.response = response;
  }
}

/** Rejects with UploadFailure, or NetworkFailure where no answer came. */
export async function postForm({ transport, token, baseUrl }: FormPlace, wish: FormRequest): Promise<unknown> {
  const { action, headers = {}, withCredentials = true, onProgress, signal } = wish;
  const body = formOf(wish);
  const held = withCredentials ? token() : null;
  const base = baseUrl();
  try {
    const answer = await transport({
      url: /^https?:/u.test(base) ? new URL(action, base).href : action,
      method: 'POST',
      headers: { ...headers, ...(held === null ? {} : { authorization: `Bearer ${held}` }) },
      body,
      signal: signal ?? null,
      onProgress: (fraction) => onProgress?.(Math.round(fraction * 100)),
    });
    const response = parsed(answer.text);
    if (answer.status >= 200 && answer.status < 300) return response;
    throw new UploadFailure(failureOf(response, answer.text, action, answer.status), answer.status, response);
  } catch (failure) {
    if (failure instanceof UploadFailure) throw failure;
    throw new NetworkFailure('no answer', { cause: failure });
  }
}

function formOf({ file, name = 'file', data = {} }: FormRequest): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(data)) form.append(key, value);
  form.append(name, file, file.name);
  return form;
}

function failureOf(response: unknown, text: string, action: string, status: number): string {
  if (typeof response === 'object' && response !== null && 'error' in response && response.error)
    return String(response.error);
  return text === '' ? `fail to post ${action} ${status}` : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
