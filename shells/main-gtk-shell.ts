// Entry of the GTK shell: the console of one server in windows of WebKitGTK, and tiles that GStreamer plays inside them.
import path from 'node:path';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { takeCommands } from './desktop/command-lines.ts';
import { passToRunning, takeOver } from './desktop/profile/one-instance.ts';
import { openProfile, ProfileError, trustedPin, trustPin } from './desktop/profile/profile-folder.ts';
import { openKeyStore } from './desktop/sign-in-key/key-store.ts';
import { serverCall } from './desktop/sign-in-key/server-call.ts';
import { SignInKey } from './desktop/sign-in-key/sign-in-key.ts';
import { OptionError } from './desktop/shell-options.ts';
import { isNoticeRead, keepNoticeRead, readEngineFacts } from './gtk/engine-notice.ts';
import { type GtkCommandLine, readGtkOptions } from './gtk/gtk-options.ts';
import { GtkShell } from './gtk/gtk-shell.ts';
import { checkParts, MissingParts } from './gtk/view-process.ts';

const { env } = process;

try {
  await start();
} catch (error) {
  if (!(error instanceof OptionError || error instanceof ProfileError || error instanceof MissingParts)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

async function start(): Promise<void> {
  const dataFolder = env['XDG_DATA_HOME'] ?? path.join(env['HOME'] ?? '.', '.local', 'share');
  const options = readGtkOptions(process.argv.slice(2), dataFolder);
  const { origin, address, profile, trust } = options;
  const userId = process.getuid?.();
  if (userId === 0) throw new OptionError('the shell does not run as root');
  const webKit = checkParts();
  openProfile(profile, userId);
  if (trust !== null) trustPin(profile, origin, trust);
  if (await passToRunning(profile, address)) say('passedOn');
  else await run(options, webKit);
}

async function run(options: GtkCommandLine, webKit: string): Promise<void> {
  const { origin, address, profile, walls, monitor } = options;
  const pin = trustedPin(profile, origin);
  const facts = readEngineFacts(webKit);
  const isRead = options.isNoticeRead || isNoticeRead(profile, facts);
  const shell = new GtkShell({
    origin,
    profile: path.join(profile, 'webkit'),
    pin,
    walls,
    signInKey: new SignInKey({ origin, store: await openKeyStore(profile, origin), call: serverCall(origin, pin) }),
    notice: isRead ? null : facts,
    onNoticeRead: () => keepNoticeRead(profile, facts),
    language: env['LC_ALL'] ?? env['LANG'] ?? 'en',
    clock: systemClock,
    onEvent: say,
    onEnd: () => process.exit(0),
  });
  await takeOver(profile, (given) => shell.open(given));
  takeCommands(process.stdin, shell, say);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => shell.end());
  say('started', { view: shell.viewPid, webKit });
  shell.open(address, monitor ?? undefined);
}

function say(event: string, details: object = {}): void {
  process.stdout.write(`${JSON.stringify({ event, ...details })}\n`);
}
