// What a page told, for whoever reads the lines of the shell: without addresses of media, since each opens a session.

const ADDRESSES: ReadonlySet<string> = new Set(['p2pUrl', 'forwardUrl', 'url']);

export function withoutAddresses(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).filter(([name]) => !ADDRESSES.has(name)));
}
