// Attack: a camera answers with four megabytes of white space, probed repeatedly while another one is recorded.
import type { ApiClient } from '../harness/api-client.ts';
import { waitFor } from '../harness/wait-for.ts';
import { COSTLY_ANSWERS, CostlyServices } from '../peers/hostile-services.ts';
import { type AttackTarget, type AttackResult, meanwhile, tooSlow } from './attack.ts';

const GAP_MAX_MS = 1000;
const PROBES = 6;
const TOLD_WITHIN_MS = 10_000;

/** One probe of each costly answer; what the product said of them. */
export async function probeHostile(owner: ApiClient, probes = PROBES): Promise<readonly number[]> {
  const servers = await Promise.all(
    COSTLY_ANSWERS.slice(0, probes).map(([, act]) => new CostlyServices(act).listen('127.0.0.1')),
  );
  try {
    const answers = servers.map(({ target }) =>
      owner.call('device/probe', { target, user: 'admin', password: 'hostile-secret' }),
    );
    return (await Promise.all(answers)).map(({ code }) => code);
  } finally {
    for (const server of servers) await server.close();
  }
}

export async function hostileAnswers(place: AttackTarget): Promise<AttackResult> {
  const { owner } = place;
  const startTime = Date.now();
  const seen = await meanwhile(place, 'main-site.ts', () => probeHostile(owner));
  const endTime = Date.now();
  const gapMs = await longestGap(owner, startTime, endTime);
  const broken = [...tooSlow(seen.p95Ms), ...(gapMs > GAP_MAX_MS ? [`a recording has a gap of ${gapMs} ms`] : [])];
  const tried = `${PROBES} probes of a camera with answers of 4 MB`;
  return { name: 'hostile-answers', tried, ownerSaw: { longestGapMs: gapMs }, ...seen, broken };
}

/** Of all channels that were recorded at `from`, ms. */
async function longestGap(owner: ApiClient, from: number, to: number): Promise<number> {
  let longest = 0;
  // What is recorded is told a few seconds later.
  const upTo = Date.now() + TOLD_WITHIN_MS;
  for (const { deviceSerial, channelTotal } of (await owner.ok('device/list', {})).deviceList)
    for (let channelNo = 1; channelNo <= channelTotal; channelNo += 1) {
      const range = { deviceSerial, channelNo, startTime: from - 5000, endTime: to };
      const spans = async () => (await owner.ok('record/query', range)).recordList;
      if ((await spans()).length === 0) continue;
      await waitFor('the end', async () => ((await spans()).at(-1)?.endTime ?? 0) >= to, upTo - Date.now()).catch(
        () => undefined,
      );
      const reported = await spans();
      let last = reported[0]?.startTime ?? from;
      for (const { startTime, endTime } of reported) {
        longest = Math.max(longest, startTime - last);
        last = Math.max(last, endTime);
      }
      longest = Math.max(longest, to - last);
    }
  return longest;
}
