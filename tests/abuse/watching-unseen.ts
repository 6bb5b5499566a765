// Attack: the receiver of a share views, exports, and invites guests by a link, without the owner noticing.
import { MINUTE_MS } from '@vedette/foundation/units/durations.ts';
import { ApiClient } from '../harness/api-client.ts';
import type { AttackTarget, AttackResult } from './attack.ts';
import { shareWith } from './storage-by-share.ts';

export async function watchingUnseen(place: AttackTarget): Promise<AttackResult> {
  const { client, dev } = await shareWith(place, ['Export', 'Reshare']);
  const since = Date.now();
  const range = { startTime: since - MINUTE_MS, endTime: since };
  const tries: Record<string, number> = {};
  const tryOut = async (path: string, call: Promise<{ code: number }>): Promise<void> => {
    tries[path] = (await call).code;
  };
  await tryOut('media/url', client.call('media/url', { ...dev, quality: 0 }));
  await tryOut('capture/get', client.call('capture/get', dev));
  await tryOut('record/hls', client.call('record/hls', { ...dev, ...range }));
  await tryOut('record/export/start', client.call('record/export/start', { items: [{ ...dev, ...range }] }));
  const made = await client.call('share/link/create', { live: dev, endTime: since + MINUTE_MS });
  tries['share/link/create'] = made.code;
  if (made.code === 200) {
    const { linkId } = made.data as { linkId: string };
    await tryOut('share/link/open', new ApiClient(place.url).call('share/link/open', { linkId }));
  }
  const { auditList } = await place.owner.ok('audit/list', { deviceSerial: dev.deviceSerial, startTime: since });
  const seen = new Set(auditList.map(({ call }) => call));
  const got = Object.entries(tries).filter(([, code]) => code === 200);
  const broken = [
    ...got.filter(([path]) => !seen.has(path)).map(([path]) => `${path} is not in the owner's log`),
    // An attack that got nothing shows nothing.
    ...(got.length < Object.keys(tries).length ? [`refused to who has the right: ${JSON.stringify(tries)}`] : []),
  ];
  const tried = Object.keys(tries).join(', ');
  const ownerSaw = { watched: got.length, lines: seen.size };
  return { name: 'watching-unseen', tried, ownerSaw, memoryMB: null, p95Ms: null, broken };
}
