// `npm run shell:check -- <shell command with {url}>`: checks a shell against the bridge, and prints TAP.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { KitServer } from './kit/kit-server.ts';
import { KitTalk, SHELL_CHECKS } from './kit/shell-checks.ts';

const END_MS = 5000;

const words = process.argv.slice(2).filter((word, at) => at > 0 || word !== '--');
if (words.length === 0) {
  process.stderr.write('usage: npm run shell:check -- <shell command with {url}>\n');
  process.exit(2);
}
const server = await KitServer.start();
const [command = '', ...args] = words.map((word) => word.replaceAll('{url}', server.url));
const shell = spawn(command, args, { stdio: ['pipe', 'ignore', 'inherit'] });
const ended = once(shell, 'close').catch(() => undefined);
const kit = new KitTalk(server, systemClock);
let failed = 0;
process.stdout.write(`TAP version 14\n1..${SHELL_CHECKS.length}\n`);
for (const [at, { name, run }] of SHELL_CHECKS.entries()) {
  const wrong = await run(kit);
  process.stdout.write(`${wrong === null ? 'ok' : 'not ok'} ${at + 1} - ${name}\n`);
  if (wrong === null) continue;
  failed += 1;
  process.stdout.write(`  ---\n  message: ${JSON.stringify(wrong)}\n  ...\n`);
  if (await kit.canTalk()) continue;
  process.stdout.write('Bail out! The page can no longer talk to its shell.\n');
  break;
}
shell.kill('SIGTERM');
const cancel = systemClock.after(END_MS, () => shell.kill('SIGKILL'));
await ended;
cancel();
server.stop();
process.exitCode = failed === 0 ? 0 : 1;
