// What a message between page and native shell looks like (BR-01), and which of those that arrive are taken: whole, of this launch, and once (SE-90).

/** Some shells count their messages. */
export type ShellId = string | number;

export interface ShellMessage {
  readonly id: ShellId;
  /** Of a request; an answer has none. */
  readonly url: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Requests that one launch remembers; after so many it begins anew, and what was sent before counts no more. */
const REMEMBERED = 10_000;
const ID_MAX = 64;
const URL_MAX = 128;
/** Names that would reach into the prototype of whatever takes the data over. */
const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'prototype'] as const;

/**
 * From the page's start until its end. By a way that any script of the page may take, a message names the word of the launch,
 * which the shell heard from the page alone; by the shell's own way it need not, and no wrong one.
 */
export class ShellLaunch {
  readonly #newNonce: () => string;
  readonly #heard = new Set<ShellId>();
  #nonce: string;

  constructor(newNonce: () => string) {
    this.#newNonce = newNonce;
    this.#nonce = newNonce();
  }

  get nonce(): string {
    return this.#nonce;
  }

  /** Null for what is no message, is of another launch or came before. `isOwnWay`: nobody but the shell can have sent it. */
  take(value: unknown, isOwnWay: boolean): ShellMessage | null {
    if (!isPlain(value) || !this.#isOfLaunch(value['nonce'], isOwnWay)) return null;
    const message = readMessage(value);
    if (message === null || message.url === null) return message;
    return this.#isHeard(message.id) ? null : message;
  }

  #isOfLaunch(nonce: unknown, isOwnWay: boolean): boolean {
    return nonce === this.#nonce || (isOwnWay && nonce === undefined);
  }

  #isHeard(id: ShellId): boolean {
    if (this.#heard.has(id)) return true;
    if (this.#heard.size >= REMEMBERED) {
      this.#heard.clear();
      this.#nonce = this.#newNonce();
    }
    this.#heard.add(id);
    return false;
  }
}

function readMessage({ id, url = null, data = null }: Readonly<Record<string, unknown>>): ShellMessage | null {
  if (!isId(id) || !isUrl(url)) return null;
  if (data === null) return { id, url, data: {} };
  return isPlain(data) ? { id, url, data } : null;
}

function isUrl(url: unknown): url is string | null {
  return url === null || (typeof url === 'string' && url.length <= URL_MAX);
}

function isId(id: unknown): id is ShellId {
  return typeof id === 'number' ? Number.isSafeInteger(id) : typeof id === 'string' && id !== '' && id.length <= ID_MAX;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return PROTOTYPE_NAMES.every((name) => !Object.hasOwn(value, name));
}
