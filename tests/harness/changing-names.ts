// What the run with changing names tells its test: which names were used, what came of each, and who was dialled.

/** Open to everybody, as the Internet is: within a network of the test's own. */
export const PUBLIC = '8.8.4.4';
export const PRIVATE = '10.9.8.7';
export const LINK_LOCAL = '169.254.169.254';
/** What no account may be led to. */
export const FORBIDDEN = [
  '127.0.0.1',
  LINK_LOCAL,
  '0.0.0.0',
  '::1',
  '::ffff:7f00:1',
  '::',
  '64:ff9b::7f00:1',
  'fe80::1',
] as const;
/** Where a connection to any of them would arrive. */
export const TRAPS = ['127.0.0.1', '::1', LINK_LOCAL, PRIVATE] as const;

export interface NamedEnd {
  readonly name: string;
  readonly end: string;
  readonly ms: number;
}

export interface NamesReport {
  /** By protocol. */
  readonly ends: Readonly<Record<string, readonly NamedEnd[]>>;
  /** Connections by protocol at the peer that may be dialled, and at all traps beside it. */
  readonly dialled: Readonly<Record<string, { readonly peer: number; readonly traps: number }>>;
  readonly lookups: Readonly<Record<string, number>>;
  /** Messages of another account while look-ups hung. */
  readonly others: readonly NamedEnd[];
}
