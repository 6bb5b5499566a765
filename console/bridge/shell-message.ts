// What a message between page and native shell looks like, and which of those that arrive are taken: whole, of this launch, and once (SE-90).

export interface ShellMessage {
  readonly id: string;
  /** Of a request; an answer has none. */
  readonly url: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Requests that one launch remembers; after so many it begins anew, and what was sent before counts no more. */
const REMEMBERED = 10_000;
const ID_MAX = 64;
const URL_MAX = 128;
const FIELDS: ReadonlySet<string> = new Set(['id', 'url', 'data', 'nonce', 'code', 'message']);
/** Names that would reach into the prototype of whatever takes the data over. */
const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'prototype'] as const;

/** From the page's start until its end: what the shell sends names the word of the launch, which it heard from the page alone. */
export class ShellLaunch {
  readonly #newNonce: () => string;
  readonly #heard = new Set<string>();
  #nonce: string;

  constructor(newNonce: () => string) {
    this.#newNonce = newNonce;
    this.#nonce = newNonce();
  }

  get nonce(): string {
    return this.#nonce;
  }

  /** Null for what is no message, is of another launch or came before. */
  take(value: unknown): ShellMessage | null {
    if (!isPlain(value) || Object.keys(value).some((name) => !FIELDS.has(name))) return null;
    const { id, url = null, data = null, nonce } = value;
    if (nonce !== this.#nonce || typeof id !== 'string' || id === '' || id.length > ID_MAX) return null;
    if (url !== null && (typeof url !== 'string' || url.length > URL_MAX)) return null;
    if (data !== null && !isPlain(data)) return null;
    if (url !== null && this.#isHeard(id)) return null;
    return { id, url, data: data ?? {} };
  }

  #isHeard(id: string): boolean {
    if (this.#heard.has(id)) return true;
    if (this.#heard.size >= REMEMBERED) {
      this.#heard.clear();
      this.#nonce = this.#newNonce();
    }
    this.#heard.add(id);
    return false;
  }
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return PROTOTYPE_NAMES.every((name) => !Object.hasOwn(value, name));
}
