// The options of the desktop shell's command line.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';

export interface ShellCommandLine {
  readonly origin: string;
  /** Page that the first window shows. */
  readonly address: string;
  /** Folder of the profile; one for each server. */
  readonly profile: string;
  /** Browser to use; null: the first that is found. */
  readonly program: string | null;
  /** Public key of the server to trust from now on, SHA-256 as base64. */
  readonly trust: string | null;
}

export class OptionError extends Error {}

const PIN = /^[A-Za-z0-9+/]{43}=$/;

/** @throws OptionError */
export function readOptions(args: readonly string[], dataFolder: string): ShellCommandLine {
  const { server = '', profile, browser, trust } = parsed(args);
  const url = URL.canParse(server) ? new URL(server) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw new OptionError('--server needs an http or https address');
  if (trust !== undefined && !PIN.test(trust))
    throw new OptionError('--trust needs a fingerprint as the shell shows it');
  const { origin, pathname, search, hash } = url;
  return {
    origin,
    address: `${origin}${pathname === '/' ? '/client.html' : pathname}${search}${hash}`,
    profile: path.resolve(profile ?? path.join(dataFolder, 'vedette-shell', nameOf(origin))),
    program: browser ?? null,
    trust: trust ?? null,
  };
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ args: [...args], options: { server: text, profile: text, browser: text, trust: text } }).values;
  } catch (error) {
    throw new OptionError((error as Error).message);
  }
}

function nameOf(origin: string): string {
  return createHash('sha256').update(origin).digest('hex').slice(0, 16);
}
