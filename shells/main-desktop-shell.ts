// Entry of the desktop shell: the console of one server in windows of the installed Chromium, Chrome or Edge.
import path from 'node:path';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { findBrowser } from './desktop/browser/browser-process.ts';
import { takeCommands } from './desktop/command-lines.ts';
import { DesktopShell } from './desktop/desktop-shell.ts';
import { passToRunning, takeOver } from './desktop/profile/one-instance.ts';
import {
  browserFolder,
  forgetSessions,
  openProfile,
  prepareBrowserFolder,
  ProfileError,
  trustedPin,
  trustPin,
} from './desktop/profile/profile-folder.ts';
import { openKeyStore } from './desktop/sign-in-key/key-store.ts';
import { serverCall } from './desktop/sign-in-key/server-call.ts';
import { SignInKey } from './desktop/sign-in-key/sign-in-key.ts';
import { OptionError, readOptions, type ShellCommandLine } from './desktop/shell-options.ts';

const { env } = process;

try {
  await start();
} catch (error) {
  if (!(error instanceof OptionError || error instanceof ProfileError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

async function start(): Promise<void> {
  const dataFolder = env['XDG_DATA_HOME'] ?? path.join(env['HOME'] ?? '.', '.local', 'share');
  const options = readOptions(process.argv.slice(2), dataFolder);
  const { origin, address, profile, trust } = options;
  const userId = process.getuid?.();
  // Chromium would run without its sandbox.
  if (userId === 0) throw new OptionError('the shell does not run as root');
  openProfile(profile, userId);
  prepareBrowserFolder(profile);
  if (trust !== null) trustPin(profile, origin, trust);
  if (await passToRunning(profile, address)) say('passedOn');
  else await run(options);
}

async function run({ origin, address, profile, program }: ShellCommandLine): Promise<void> {
  const found = program ?? findBrowser(env['PATH'] ?? '');
  if (found === null) throw new OptionError('no Chromium, Chrome or Edge is installed');
  forgetSessions(profile);
  const pin = trustedPin(profile, origin);
  const store = await openKeyStore(profile, origin);
  const shell = new DesktopShell({
    origin,
    browser: { program: found, profile: browserFolder(profile), pin },
    signInKey: new SignInKey({ origin, store, call: serverCall(origin, pin) }),
    language: env['LC_ALL'] ?? env['LANG'] ?? 'en',
    clock: systemClock,
    onEvent: say,
    onEnd: () => {
      forgetSessions(profile);
      process.exit(0);
    },
  });
  await takeOver(profile, (given) => shell.open(given));
  takeCommands(process.stdin, shell, say);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => shell.end());
  say('started', { browser: shell.browserPid });
  shell.open(address);
}

function say(event: string, details: object = {}): void {
  process.stdout.write(`${JSON.stringify({ event, ...details })}\n`);
}
