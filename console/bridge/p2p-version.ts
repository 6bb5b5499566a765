// Which version of the program for direct connections runs on this machine (BR-03): asked on loopback alone, told nothing, and believed nothing but a version (SE-92).
import type { ServerConfig } from '@vedette/contract/entities.ts';
import { askShell } from './native-shell.ts';

const ADDRESS = 'http://127.0.0.1:9999/version';
/** Whatever else may listen there. */
const ANSWER_MS = 1500;
const BYTES_MAX = 64;
/** A version, and after it the build: of the cloud in China, of the one in India for other countries, or without a brand. */
const VERSION = /^(\d{1,5}(?:\.\d{1,5}){1,3})(?:-(cn|in|nb))?$/;

export const P2P_BUILDS = ['cn', 'in', 'nb'] as const;
export type P2pBuild = (typeof P2P_BUILDS)[number];
export interface P2pVersion {
  readonly version: string;
  /** Null where the program does not name one. */
  readonly build: P2pBuild | null;
}

/** Which build belongs to a server. */
export function p2pBuildFor({
  isOverseasFlag,
  isNoBrandFlag,
}: Pick<ServerConfig, 'isOverseasFlag' | 'isNoBrandFlag'>): P2pBuild {
  if (isNoBrandFlag) return 'nb';
  return isOverseasFlag ? 'in' : 'cn';
}

/** As the shell knows it, which reaches the program where a page may not; else asked by the page itself. */
export async function findP2pVersion(): Promise<P2pVersion | null> {
  return (await askShell('p2p/version', {})) ?? (await readP2pVersion());
}

/** Null where nothing answers, or something that does not tell a version. */
export async function readP2pVersion(ask: typeof fetch = fetch, answerMs = ANSWER_MS): Promise<P2pVersion | null> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), answerMs);
  try {
    const answer = await ask(ADDRESS, {
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
      cache: 'no-store',
      signal: stop.signal,
    });
    if (answer.status !== 200 || answer.body === null) return null;
    const [, version, name] = VERSION.exec((await firstText(answer.body)).trim()) ?? [];
    const build = P2P_BUILDS.find((one) => one === name) ?? null;
    return version === undefined ? null : { version, build };
  } catch {
    // Nobody listens, it is not for us, or it never ends: all the same.
    return null;
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

/** No more than a version needs. */
async function firstText(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    text += decoder.decode(next.value, { stream: true });
    if (text.length > BYTES_MAX) return '';
  }
  return text;
}
