// Which messages belong to a launch of the page (SE-90): those with its word, each request once.
import { BRIDGE_LIMITS } from '../limits.ts';
import type { BridgeId, BridgeMessage } from './bridge-message.ts';

export interface Launch {
  /** Goes along with every message; undefined while this side does not know it. */
  readonly nonce: string | undefined;
  /** False for a message of another launch, and for a request that came before. `isOwn`: nobody but the other side can have sent it. */
  accepts(message: BridgeMessage, isOwn: boolean): boolean;
}

/**
 * The page's side: it chooses the word, which the shell learns from whatever it is told. By a way that any script of the page may take,
 * a message must name it; by the shell's own way it need not, but no wrong one.
 */
export class PageLaunch implements Launch {
  readonly #newNonce: () => string;
  readonly #heard = new Set<BridgeId>();
  #nonce: string;

  constructor(newNonce: () => string) {
    this.#newNonce = newNonce;
    this.#nonce = newNonce();
  }

  get nonce(): string {
    return this.#nonce;
  }

  accepts({ kind, id, nonce }: BridgeMessage, isOwn: boolean): boolean {
    if (nonce !== this.#nonce && !(isOwn && nonce === undefined)) return false;
    if (kind === 'answer') return true;
    if (this.#heard.has(id)) return false;
    // Before ids are forgotten the word changes: what was sent before counts no more.
    if (this.#heard.size >= BRIDGE_LIMITS.remembered) {
      this.#heard.clear();
      this.#nonce = this.#newNonce();
    }
    this.#heard.add(id);
    return true;
  }
}

/** The shell's side: it uses the word that the page said last. A new word is a new launch, or the page forgot its ids: both begin anew. */
export class ShellLaunch implements Launch {
  readonly #heard = new Set<BridgeId>();
  #nonce: string | undefined;

  get nonce(): string | undefined {
    return this.#nonce;
  }

  accepts({ kind, id, nonce }: BridgeMessage): boolean {
    if (typeof nonce === 'string' && nonce !== this.#nonce) {
      this.#nonce = nonce;
      this.#heard.clear();
    }
    if (kind === 'answer') return true;
    if (this.#heard.has(id)) return false;
    if (this.#heard.size >= BRIDGE_LIMITS.remembered) this.#heard.clear();
    this.#heard.add(id);
    return true;
  }
}
