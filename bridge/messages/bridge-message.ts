// Reads what arrives over a bridge: a request `{id, url, data}` or an answer `{id, code, message, data}` within the limits, or nothing.
import { BRIDGE_LIMITS } from '../limits.ts';

/** Some shells count their messages. */
export type BridgeId = string | number;
export type BridgeData = Readonly<Record<string, unknown>>;

interface Envelope {
  readonly id: BridgeId;
  readonly data: BridgeData;
  /** The word of the launch; undefined where the message has none. */
  readonly nonce: unknown;
}
export interface BridgeRequest extends Envelope {
  readonly kind: 'request';
  readonly url: string;
}
export interface BridgeReply extends Envelope {
  readonly kind: 'answer';
  readonly code: number;
}
export type BridgeMessage = BridgeRequest | BridgeReply;

/** Names that would reach into the prototype of whatever takes the data over. */
const PROTOTYPE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Null for what is no message: too large, too deep, incomplete, or with names of the prototype. */
export function readMessage(value: unknown): BridgeMessage | null {
  const plain = asPlainObject(value);
  if (plain === null) return null;
  const { id, nonce } = plain;
  const data = plain['data'] ?? {};
  return isId(id) && isObject(data) ? readKind(plain, { id, data, nonce }) : null;
}

function readKind({ url = null, code = null }: BridgeData, envelope: Envelope): BridgeMessage | null {
  if (typeof url === 'string')
    return url.length <= BRIDGE_LIMITS.urlLength ? { ...envelope, kind: 'request', url } : null;
  return url === null && Number.isInteger(code) ? { ...envelope, kind: 'answer', code: code as number } : null;
}

/** The message as JSON; null where it is larger than the other side would take. */
export function writeMessage(message: object): string | null {
  const text = JSON.stringify(message);
  return fits(text) && hasDepth(message, BRIDGE_LIMITS.depth) ? text : null;
}

/** Through JSON: what comes out has no accessors and no prototype of its own. */
function asPlainObject(value: unknown): BridgeData | null {
  const text = typeof value === 'string' ? value : jsonOf(value);
  if (text === null || !fits(text)) return null;
  const parsed = parse(text);
  return isObject(parsed) && hasDepth(parsed, BRIDGE_LIMITS.depth) ? parsed : null;
}

/** Null for what JSON has no form for: circles, big integers, functions. */
function jsonOf(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null;
  } catch {
    return null;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function fits(text: string): boolean {
  if (text.length > BRIDGE_LIMITS.messageBytes) return false;
  return new TextEncoder().encode(text).length <= BRIDGE_LIMITS.messageBytes;
}

/** Also false where a name of the prototype is used, at any depth. */
function hasDepth(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (left === 0) return false;
  return Object.entries(value).every(([name, inner]) => !PROTOTYPE_NAMES.has(name) && hasDepth(inner, left - 1));
}

function isObject(value: unknown): value is BridgeData {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isId(id: unknown): id is BridgeId {
  if (typeof id === 'number') return Number.isSafeInteger(id);
  return typeof id === 'string' && id !== '' && id.length <= BRIDGE_LIMITS.idLength;
}
