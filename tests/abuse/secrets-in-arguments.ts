// Attack: whoever may list the processes of the machine looks for secrets in their arguments, while everything runs that is given one.
import { readFile } from 'node:fs/promises';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { wait } from '@vedette/foundation/time/wait.ts';
import { processesBelow } from '../harness/processes.ts';
import type { AttackResult, AttackTarget } from './attack.ts';

/** Unlike anything that the product makes itself. */
const NEEDLE = 'Needle8';
const LOOKS = 40;
const LOOK_EVERY_MS = 50;

export async function secretsInArguments({ owner, launcherPid, password }: AttackTarget): Promise<AttackResult> {
  if (launcherPid === null) return told(0, ['the processes of another machine cannot be seen'], 0);
  const { deviceList } = await owner.ok('device/list', {});
  const [{ deviceSerial } = { deviceSerial: '' }] = deviceList;
  const now = Date.now();
  const given = { user: 'admin', password: `${NEEDLE}device` };
  const range = { startTime: now - 8000, endTime: now - 2000 };
  // What is given a secret, and what starts programs of others: probes of devices, a picture, an export with its burnt-in time.
  const probes = Promise.allSettled([
    owner.raw('device/probe', { target: 'http://127.0.0.1:9/', ...given }),
    owner.raw('device/probe', { target: `rtsp://admin:${NEEDLE}address@127.0.0.1:9/live`, ...given }),
  ]);
  await owner.ok('record/export/start', { items: [{ deviceSerial, channelNo: 1, ...range }], burnIn: true });
  const picture = owner.ok('capture/get', { deviceSerial, channelNo: 1 });
  const secrets = [NEEDLE, password, ...(owner.accessToken === null ? [] : [owner.accessToken])];
  const leaks = new Set<string>();
  const seen = new Set<string>();
  for (let look = 0; look < LOOKS; look += 1) {
    for (const { pid } of await processesBelow(launcherPid)) {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      seen.add(line);
      const leaked = secrets.find((secret) => line.includes(secret));
      if (leaked !== undefined) leaks.add(`${leaked} in ${line.slice(0, 200)}`);
    }
    await wait(systemClock, LOOK_EVERY_MS);
  }
  await Promise.all([probes, picture]);
  return told(seen.size, [...(seenFfmpeg(seen) ? [] : ['no program of others was seen']), ...leaks], LOOKS);
}

function seenFfmpeg(lines: ReadonlySet<string>): boolean {
  return [...lines].some((line) => line.includes('ffmpeg'));
}

function told(processes: number, broken: readonly string[], looks: number): AttackResult {
  const tried = `${looks} looks at the arguments of ${processes} processes`;
  return { name: 'secrets-in-arguments', tried, ownerSaw: {}, memoryMB: null, p95Ms: null, broken };
}
