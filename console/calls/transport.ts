// Carries one request to the server: fetch for JSON, XMLHttpRequest where upload progress is wanted.
import { EVENT_HEADER } from '@vedette/contract/calls/page-events.ts';

export interface TransportRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Blob | FormData | null;
  readonly signal: AbortSignal | null;
  /** Goes on when the page leaves. */
  readonly keepalive?: boolean;
  /** Fraction sent, 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

export interface TransportResponse {
  readonly status: number;
  readonly text: string;
  /** Number of the newest event when the server took the call; null where it does not tell. */
  readonly event?: number | null;
}

/** Rejects only where no answer came at all. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

async function byFetch(request: TransportRequest): Promise<TransportResponse> {
  const answer = await fetch(request.url, {
    method: request.method,
    headers: request.headers,
    body: request.body,
    signal: request.signal,
    keepalive: request.keepalive ?? false,
    cache: 'no-store',
    credentials: 'same-origin',
  });
  return { status: answer.status, text: await answer.text(), event: eventOf(answer.headers.get(EVENT_HEADER)) };
}

function byUpload(request: TransportRequest, onProgress: (fraction: number) => void): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const upload = new XMLHttpRequest();
    upload.open(request.method, request.url);
    for (const [name, value] of Object.entries(request.headers)) upload.setRequestHeader(name, value);
    upload.upload.onprogress = (event) => {
      if (event.lengthComputable && event.total > 0) onProgress(event.loaded / event.total);
    };
    upload.onload = () => {
      const event = eventOf(upload.getResponseHeader(EVENT_HEADER));
      resolve({ status: upload.status, text: upload.responseText, event });
    };
    upload.onerror = () => reject(new Error('upload failed'));
    upload.onabort = () => reject(new Error('upload aborted'));
    request.signal?.addEventListener('abort', () => upload.abort(), { once: true });
    upload.send(request.body);
  });
}

function eventOf(header: string | null): number | null {
  const event = Number(header);
  return header !== null && Number.isSafeInteger(event) ? event : null;
}

export const browserTransport: Transport = (request) =>
  request.onProgress === undefined ? byFetch(request) : byUpload(request, request.onProgress);
