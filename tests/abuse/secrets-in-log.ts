// Attack: secrets are sent wherever the product may write them down, and are then looked for in its log, as operators read it.
import { gunzipSync } from 'node:zlib';
import { ApiClient } from '../harness/api-client.ts';
import type { AttackTarget, AttackResult } from './attack.ts';

/** Unlike anything that the product makes itself. */
const NEEDLE = 'Needle7';

export async function secretsInLog({ url, owner }: AttackTarget): Promise<AttackResult> {
  const stranger = new ApiClient(url);
  const secret = (name: string): string => `${NEEDLE}${name}9x`;
  const calls = [
    stranger.raw('account/login', {
      account: 'operator',
      password: secret('password'),
      browserId: 'a',
      clientType: 'web',
    }),
    stranger.raw('user/invitation/open', { token: secret('invitation') }),
    stranger.raw('account/setup', { secret: secret('setup'), username: 'someone', password: secret('first') }),
    owner.raw('device/probe', { target: `rtsp://admin:${secret('camera')}@127.0.0.1:9/${secret('path')}` }),
    owner.raw('device/probe', { target: 'http://127.0.0.1:9/', user: 'admin', password: secret('device') }),
  ];
  const token = secret('bearer');
  const requests = [
    ['/api/v1/token/check', { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: '{}' }],
    [`/api/v1/token/check?token=${secret('query')}`, { method: 'POST', body: '{"broken' }],
    [`/media/live/${secret('ticket')}`, {}],
    [`/media/hls/${secret('ticket')}/index.m3u8`, { headers: { cookie: `session=${secret('cookie')}` } }],
    [`/homepage/liveVideo?accessToken=${secret('address')}`, {}],
  ] as const;
  await Promise.all([
    ...calls,
    ...requests.map(async ([path, init]) => await (await fetch(`${url}${path}`, init)).text()),
  ]);
  const file = await owner.ok('system/log/download', {});
  const text = gunzipSync(Buffer.from(file.gzip, 'base64')).toString('utf8');
  const leaked = text.split('\n').filter((line) => line.includes(NEEDLE));
  const { lineList } = await owner.ok('system/log/list', { keyWord: NEEDLE });
  const broken = [
    ...(file.lineTotal === 0 ? ['the log has no lines'] : []),
    ...leaked.map((line) => `the file holds ${line.slice(0, 200)}`),
    ...lineList.map((line) => `the list holds ${line.text.slice(0, 200)}`),
  ];
  const tried = `${calls.length} calls and ${requests.length} requests with secrets`;
  return { name: 'secrets-in-log', tried, ownerSaw: { lines: file.lineTotal }, memoryMB: null, p95Ms: null, broken };
}
