// A tenant says at every endpoint what clients say, with bytes changed, cut and repeated at random: no process ends, no call fails inside.
import { connect } from 'node:net';
import { processesBelow } from '../harness/processes.ts';
import { mutate, seededRandom } from '../fuzz/engine/mutate.ts';
import { type AttackResult, type AttackTarget, streamOf } from './attack.ts';
import { type Change, type Conversation, type Speaker, speakers } from './conversations.ts';
import { deviceOf } from './tenants.ts';

/** For each socket that the others open. */
const TIMES = 10;
const AT_ONCE = 24;
/** A ticket is used up by the first who says it whole. */
const TICKETS_EVERY = 8 * AT_ONCE;
const QUIET_MS = 150;
const WORDS = [
  '"',
  '{',
  '}',
  '[',
  '\\u0000',
  '__proto__',
  '\r\n',
  '\r\n\r\n',
  '--edge',
  '%00',
  '../',
  'null',
  '-1',
  '1e999',
  '\0',
];

export async function changedBytes(place: AttackTarget): Promise<AttackResult> {
  const { owner, launcherPid, count, url } = place;
  const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
  const random = seededRandom(seed);
  const dev = { deviceSerial: await deviceOf(place), channelNo: 1 };
  const ports = { gateway: Number(new URL(url).port), rtsp: Number(new URL((await streamOf(place)).rtspUrl).port) };
  const before = await pidsOf(launcherPid);
  const broken: string[] = [];
  let said: Speaker[] = [];
  for (let at = 0; at < count * TIMES && broken.length === 0; at += AT_ONCE) {
    if (at % TICKETS_EVERY === 0) said = await speakers({ owner, dev });
    const conversations = Array.from({ length: AT_ONCE }, () => {
      const speaker = said[Math.floor(random() * said.length)] as Speaker;
      return speaker(changeBy(random));
    });
    const answers = await Promise.all(conversations.map((one) => speak(one, ports)));
    for (const [index, answer] of answers.entries())
      if (/^HTTP\/1\.1 50[0-2]|"code":1000\b/u.test(answer))
        broken.push(`${toldOf(conversations[index])} → ${answer.slice(0, 200)}`);
    if ((await pidsOf(launcherPid)).join() !== before.join())
      broken.push(`a process ended by one of: ${conversations.map(toldOf).join(' | ')}`);
  }
  return {
    name: 'changed-bytes',
    tried: `${count * TIMES} conversations with changed bytes (FUZZ_SEED=${seed})`,
    ownerSaw: {},
    memoryMB: null,
    p95Ms: null,
    broken,
  };
}

/** One in three goes as it is, so that what comes after it is heard. */
function changeBy(random: () => number): Change {
  return (bytes) => (random() < 1 / 3 ? bytes : mutate(bytes, { random, corpus: [bytes], words: WORDS }));
}

/** The parts of the product itself; those that they start for a while come and go. */
async function pidsOf(launcherPid: number | null): Promise<number[]> {
  if (launcherPid === null) return [];
  const found = await processesBelow(launcherPid);
  return found.filter(({ command }) => /main-(?:server|site|gateway)\.ts/u.test(command)).map(({ pid }) => pid);
}

/** What was answered, until nothing comes for a moment. */
async function speak(
  { port, parts }: Conversation,
  ports: Readonly<Record<Conversation['port'], number>>,
): Promise<string> {
  const socket = connect(ports[port], '127.0.0.1');
  let answer = '';
  socket.setEncoding('latin1').on('error', () => undefined);
  socket.setTimeout(QUIET_MS);
  const quiet = (): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        for (const event of ['data', 'timeout', 'close']) socket.off(event, done);
        resolve();
      };
      for (const event of ['data', 'timeout', 'close']) socket.on(event, done);
    });
  socket.on('data', (text: string) => {
    if (answer.length < 4000) answer += text;
  });
  for (const part of parts) {
    if (socket.destroyed) break;
    socket.write(part);
    await quiet();
  }
  socket.destroy();
  return answer;
}

function toldOf(conversation: Conversation | undefined): string {
  return conversation ? JSON.stringify(Buffer.concat(conversation.parts).toString('latin1').slice(0, 600)) : '';
}
