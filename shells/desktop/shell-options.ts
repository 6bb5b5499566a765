// The options of the desktop shell's command line.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';

export interface ShellServer {
  readonly origin: string;
  /** Page that the first window shows. */
  readonly address: string;
  /** Folder of the profile; one for each server. */
  readonly profile: string;
  /** Public key of the server to trust from now on, SHA-256 as base64. */
  readonly trust: string | null;
}

export interface ShellCommandLine extends ShellServer {
  /** Browser to use; null: the first that is found. */
  readonly program: string | null;
}

export class OptionError extends Error {}

export const TEXT = { type: 'string' } as const;
const PIN = /^[A-Za-z0-9+/]{43}=$/;

/** @throws OptionError */
export function readOptions(args: readonly string[], dataFolder: string): ShellCommandLine {
  const { browser, ...given } = parseOptions(args, { server: TEXT, profile: TEXT, browser: TEXT, trust: TEXT });
  return { ...readServer(given, path.join(dataFolder, 'vedette-shell')), program: browser ?? null };
}

/** Options that every shell has, as they were given. */
export interface GivenServer {
  readonly server?: string | undefined;
  readonly profile?: string | undefined;
  readonly trust?: string | undefined;
}

/** `profiles`: folder of the profiles of this kind of shell. @throws OptionError */
export function readServer({ server = '', profile, trust }: GivenServer, profiles: string): ShellServer {
  const url = URL.canParse(server) ? new URL(server) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw new OptionError('--server needs an http or https address');
  if (trust !== undefined && !PIN.test(trust))
    throw new OptionError('--trust needs a fingerprint as the shell shows it');
  const { origin, pathname, search, hash } = url;
  return {
    origin,
    address: `${origin}${pathname === '/' ? '/client.html' : pathname}${search}${hash}`,
    profile: path.resolve(profile ?? path.join(profiles, nameOf(origin))),
    trust: trust ?? null,
  };
}

/** @throws OptionError */
export function parseOptions<const O extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: O,
) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new OptionError((error as Error).message);
  }
}

function nameOf(origin: string): string {
  return createHash('sha256').update(origin).digest('hex').slice(0, 16);
}
