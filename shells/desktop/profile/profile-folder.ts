// The folder that holds the browser's profile and the trusted key of the server; nobody but its owner may read it.
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What Chromium would offer by itself, in front of the tiles; `prompt_for_download`: each file is saved under a name that the person chooses. */
const PREFERENCES = {
  credentials_enable_service: false,
  profile: { password_manager_enabled: false },
  browser: { has_seen_welcome_page: true },
  translate: { enabled: false },
  download: { prompt_for_download: true },
};

export class ProfileError extends Error {}

/** `ownUserId`: undefined where the system has no such numbers. @throws ProfileError where the folder belongs to somebody else */
export function openProfile(folder: string, ownUserId: number | undefined): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (!found.isDirectory() || (ownUserId !== undefined && found.uid !== ownUserId))
    throw new ProfileError(`${folder} belongs to another user`);
  chmodSync(folder, 0o700);
}

/** Within a profile that was opened. */
export function prepareBrowserFolder(folder: string): void {
  mkdirSync(path.join(browserFolder(folder), 'Default'), { recursive: true, mode: 0o700 });
  const file = path.join(browserFolder(folder), 'Default', 'Preferences');
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(PREFERENCES), { mode: 0o600 });
}

export function browserFolder(folder: string): string {
  return path.join(folder, 'browser');
}

/** What Chromium keeps of the sessions of its windows, which nothing restores: access tokens are among it. */
export function forgetSessions(folder: string): void {
  rmSync(path.join(browserFolder(folder), 'Default', 'Session Storage'), { recursive: true, force: true });
}

/** Null where no certificate of this server was trusted. */
export function trustedPin(folder: string, origin: string): string | null {
  return readPins(folder)[origin] ?? null;
}

export function trustPin(folder: string, origin: string, pin: string): void {
  const file = path.join(folder, 'trusted.json');
  writeFileSync(`${file}.new`, JSON.stringify({ ...readPins(folder), [origin]: pin }), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function readPins(folder: string): Readonly<Record<string, string>> {
  const file = path.join(folder, 'trusted.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
}
