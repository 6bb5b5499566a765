// One /ws connection of a page, from its authenticated hello to the end of its session.
import type { PageMessage, PushMessage } from '@vedette/contract/calls/page-events.ts';
import type { WebSocket } from 'ws';
import type { Principal } from '../auth/principal.ts';
import type { Rights } from '../auth/rights.ts';
import type { EventListener } from './event-sign-in.ts';

/** A page that does not read is closed at this many buffered bytes; it resumes by sequence number. */
export const BACKLOG_MAX_BYTES = 1024 * 1024;

export class PageConnection {
  readonly principal: Principal;
  /** Signed in from a browser. */
  readonly isWeb: boolean;
  /** End of the token of an app, ms; null for sessions. */
  readonly tokenEndsAt: number | null;
  readonly #socket: WebSocket;
  rights: Rights;

  constructor(options: EventListener & { readonly socket: WebSocket; readonly rights: Rights }) {
    this.#socket = options.socket;
    this.principal = options.principal;
    this.isWeb = options.isWeb;
    this.tokenEndsAt = options.tokenEndsAt;
    this.rights = options.rights;
  }

  send(message: PushMessage): void {
    this.sendText(textOf(message));
  }

  sendText(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > BACKLOG_MAX_BYTES) {
      this.#socket.terminate();
      return;
    }
    this.#socket.send(text);
  }

  end(code: number): void {
    this.send({ type: 'end', code });
    this.#socket.close(4401, 'session over');
  }

  close(): void {
    this.#socket.close(1001, 'server stops');
  }
}

export function textOf(message: PushMessage): string {
  return JSON.stringify(message);
}

export function parsePageMessage(raw: Buffer): PageMessage | null {
  try {
    const message: unknown = JSON.parse(raw.toString('utf8'));
    return isPageMessage(message) ? message : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isPageMessage(message: unknown): message is PageMessage {
  if (typeof message !== 'object' || message === null || !('type' in message)) return false;
  if (message.type === 'ping') return true;
  if (message.type !== 'hello' || !('accessToken' in message) || typeof message.accessToken !== 'string') return false;
  return !('since' in message) || message.since === undefined || typeof message.since === 'number';
}
