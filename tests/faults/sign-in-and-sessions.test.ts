// Stale nonces, a changed camera password, and a camera with two sessions: what the camera receives.
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CAMERA_ACCOUNT, type CountedCamera, startCountedCamera } from '../harness/counted-camera.ts';
import { counterBreaks } from '../harness/counted-frames.ts';
import { faultRounds, isLongRun } from '../harness/fault-rounds.ts';
import { LiveViewer } from '../harness/live-viewer.ts';
import { RecordingRig } from '../harness/recording-rig.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { waitFor } from '../harness/wait-for.ts';
import { RtspRelay } from '../peers/rtsp-relay.ts';

const ROUNDS = faultRounds(2, 100);
const VIEWERS = 50;
/** A whole minute of refused sign-ins in the long run. */
const REFUSED_MS = isLongRun ? 61_000 : 8000;

let site: SiteProcess;
let camera: CountedCamera;
let relay: RtspRelay;
let device: DeviceAssignment;

beforeAll(async () => {
  [site, camera] = await Promise.all([SiteProcess.create(), startCountedCamera()]);
  relay = await RtspRelay.open(camera.rtspPort);
  await site.serve();
  await site.start();
  const found = await site.ok('probe', { target: camera.url(relay.port), ...CAMERA_ACCOUNT, isOperator: true });
  const record = { quality: 0, retentionDays: 30 } as const;
  device = {
    deviceSerial: found.deviceSerial,
    driver: found.driver,
    native: found.native,
    ...CAMERA_ACCOUNT,
    isOperatorAddress: true,
    channels: [{ channelNo: 1, channelId: 'counted', record, backfillFrom: null }],
  };
  await assign(device);
}, 60_000);

afterAll(async () => {
  await site?.stop();
  await relay?.close();
  await camera?.stop();
});

async function assign(assignment: DeviceAssignment): Promise<void> {
  await site.ok('assign', { devices: [assignment], settings: site.settings });
}

const recordsSince = (sinceMs: number) => async (): Promise<boolean> => {
  const range = { startTime: sinceMs, endTime: Date.now() + 1000 };
  const { spans } = await site.ok('recordings', { channelId: 'counted', quality: 0, ...range });
  return spans.some((span) => span.endTime - Math.max(sinceMs, span.startTime) > 1000);
};

it('[FT-11] fifty viewers and a recorder use one session of a camera that allows two', async () => {
  await waitFor('the recording', recordsSince(0), 20_000);
  await waitFor('no line but that of the recording', () => relay.openConnections === 1);
  relay.maxConnections = 2;
  const about = { deviceSerial: device.deviceSerial, channelNo: 1 };
  const viewers = await Promise.all(
    Array.from({ length: VIEWERS }, async () =>
      LiveViewer.open(await site.viewersUrl(), await site.ticket({ kind: 'live', ...about })),
    ),
  );
  await waitFor('pictures for everyone', () => viewers.every((viewer) => viewer.fragments.length > 5), 30_000);
  const { clients } = camera.stream.state;
  process.stdout.write(
    `sign-in-and-sessions: ${JSON.stringify({ viewers: VIEWERS, upstreamSessions: clients, lines: relay.openConnections, refusedLines: relay.refusedConnections })}\n`,
  );
  expect(clients).toBe(1);
  expect(relay.openConnections).toBe(1);
  expect(relay.refusedConnections).toBe(0);
  for (const viewer of viewers) viewer.close();
}, 90_000);

it('[FT-10] a changed camera password is detected after one refusal and causes at most three attempts a minute', async () => {
  const { length } = site.events;
  camera.setPassword('changed-at-the-camera');
  const changedMs = performance.now();
  relay.signIns = 0;
  camera.device.dropConnections();
  const reported = await waitFor(
    'the reason',
    () =>
      site.events
        .slice(length)
        .find((event) => event.kind === 'deviceStatus' && event.status === 0 && event.reason === 'deviceAuth'),
    30_000,
  );
  const toldMs = Math.round(performance.now() - changedMs);
  expect(reported).toBeDefined();
  // Viewers that come and go meanwhile must not bring further tries.
  while (performance.now() - changedMs < REFUSED_MS) {
    const before = performance.now();
    const ticket = await site.ticket({ kind: 'live', deviceSerial: device.deviceSerial, channelNo: 1 });
    const viewer = await LiveViewer.open(await site.viewersUrl(), ticket);
    await waitFor('the state', () => viewer.notices.some((notice) => notice.type === 'state'));
    await waitFor('a moment', () => performance.now() - before > 500);
    viewer.close();
  }
  const tries = relay.signIns;
  const since = Date.now();
  await assign({ ...device, password: 'changed-at-the-camera' });
  await waitFor('the recording with the new password', recordsSince(since), 15_000);
  process.stdout.write(
    `sign-in-and-sessions: ${JSON.stringify({ toldMs, refusedTries: tries, overMs: REFUSED_MS, recordedAgainMs: Date.now() - since })}\n`,
  );
  expect(tries).toBeGreaterThanOrEqual(1);
  expect(tries).toBeLessThanOrEqual(3);
}, 150_000);

it(
  '[FT-10] stale nonces during a stream cost no frame and no connection',
  async () => {
    const own = await startCountedCamera();
    own.device.behaviour.sessionTimeoutSeconds = 2;
    const line = await RtspRelay.open(own.rtspPort);
    const rig = await RecordingRig.open({ url: own.url(line.port) });
    try {
      await waitFor('pictures', () => rig.accessUnits.length > 5);
      for (let round = 0; round < ROUNDS; round += 1) {
        own.device.renewNonces();
        const { signIns } = line;
        // The keep-alive is refused once with the old nonce and repeated with the new one.
        await waitFor('two keep-alives', () => line.signIns >= signIns + 3, 20_000);
      }
      await rig.close();
      expect(line.connections).toBe(1);
      expect(rig.states.filter(({ state }) => state.state === 'failed')).toEqual([]);
      const frames = await rig.frames();
      process.stdout.write(
        `sign-in-and-sessions: ${JSON.stringify({ staleNonces: ROUNDS, pictures: frames.length, lost: counterBreaks(frames).length })}\n`,
      );
      expect(counterBreaks(frames)).toEqual([]);
    } finally {
      await rig.remove();
      await line.close();
      await own.stop();
    }
  },
  60_000 + ROUNDS * 10_000,
);
