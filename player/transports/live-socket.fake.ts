// A WebSocket to a media engine that a test scripts.
import { LIVE_HEADER_BYTES, LIVE_KIND, type LiveNotice, type LiveRequest } from '@vedette/contract/media-wire.ts';
import type { LiveSocket } from './live-connection.ts';

export class FakeSocket implements LiveSocket {
  binaryType: BinaryType = 'blob';
  onopen: ((event: Event) => void) | null = null;
  onmessage: ((event: MessageEvent) => void) | null = null;
  onclose: ((event: CloseEvent) => void) | null = null;
  readonly sent: LiveRequest[] = [];
  isClosed = false;
  /** A living engine answers every ping. */
  answersPings = false;

  send(text: string): void {
    const request = JSON.parse(text) as LiveRequest;
    this.sent.push(request);
    if (request.type !== 'ping' || !this.answersPings) return;
    queueMicrotask(() => this.notice({ type: 'pong', at: request.at, now: request.at }));
  }

  close(): void {
    this.isClosed = true;
  }

  open(): void {
    this.onopen?.({} as Event);
  }

  drop(): void {
    this.onclose?.({} as CloseEvent);
  }

  notice(notice: LiveNotice): void {
    this.onmessage?.({ data: JSON.stringify(notice) } as MessageEvent);
  }

  media(kind: keyof typeof LIVE_KIND, id: number, wallMs: number, payload = new Uint8Array(1)): void {
    this.onmessage?.({ data: liveMessage({ kind, id, wallMs, payload, isKey: false }) } as MessageEvent);
  }

  requests<T extends LiveRequest['type']>(type: T): Extract<LiveRequest, { type: T }>[] {
    return this.sent.filter((request): request is Extract<LiveRequest, { type: T }> => request.type === type);
  }
}

export interface MessageContent {
  readonly kind: keyof typeof LIVE_KIND;
  readonly id: number;
  readonly wallMs: number;
  readonly payload: Uint8Array;
  readonly isKey: boolean;
}

export function liveMessage({ kind, id, wallMs, payload, isKey }: MessageContent): ArrayBuffer {
  const bytes = new Uint8Array(LIVE_HEADER_BYTES + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, LIVE_KIND[kind]);
  view.setUint8(1, isKey ? 1 : 0);
  view.setUint16(2, id);
  view.setFloat64(4, wallMs);
  bytes.set(payload, LIVE_HEADER_BYTES);
  return bytes.buffer;
}
