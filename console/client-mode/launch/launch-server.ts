// Which servers a launch may name: this one, and those in the server's configuration.
import type { ServerConfig } from '@vedette/contract/entities.ts';

/** Null for a server that is not listed, and for what is no address. `ownOrigin`: that of the page. */
export function launchServer(
  serverAddress: string,
  ownOrigin: string,
  { apiURL, centerServer }: Pick<ServerConfig, 'apiURL' | 'centerServer'>,
): string | null {
  if (serverAddress === '') return ownOrigin;
  const listed = [ownOrigin, ...[apiURL, centerServer].flatMap((url) => originOf(url, ownOrigin) ?? [])];
  // Without a scheme it is the scheme of the listed one.
  const isWhole = /^https?:\/\//i.test(serverAddress);
  return (
    listed.find((origin) => originOf(isWhole ? serverAddress : withScheme(serverAddress, origin), origin) === origin) ??
    null
  );
}

function withScheme(address: string, origin: string): string {
  return `${new URL(origin).protocol}//${address}`;
}

/** Null for what is no address of a server, and for one with a name or password. */
function originOf(text: string, base: string): string | null {
  if (text === '') return null;
  const url = URL.parse(text, base);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
    ? url.origin
    : null;
}
