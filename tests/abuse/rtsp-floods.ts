// A stranger at the RTSP port without a ticket: places held by requests, frames and heads without end, while the owner plays by RTSP beside it.
import { openRtspSession } from '@vedette/protocols/rtsp/client.ts';
import { dialDirect } from '@vedette/protocols/rtsp/dial.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { waitFor } from '../harness/wait-for.ts';
import { type AttackTarget, type AttackResult, meanwhile, streamOf, tooSlow } from './attack.ts';
import { startRole } from './role-process.ts';
import type { SocketKind } from './socket-kinds.ts';
import type { StrangerOrder, StrangerReport } from './role-messages.ts';

const KINDS: readonly SocketKind[] = [
  'rtsp-silent',
  'rtsp-options',
  'rtsp-describe',
  'rtsp-frames',
  'rtsp-headers',
  'rtsp-over-tls',
];
/** The owner's machine is one of those that the stranger speaks from. */
const ADDRESSES = ['127.0.0.1', ...Array.from({ length: 20 }, (_none, at) => `127.0.2.${at + 1}`)];
const PLAYS = 5;
const PICTURE_WITHIN_MS = 10_000;
/** Nobody without a ticket keeps a connection for longer: five seconds, and as many where a busy machine runs the stranger late. */
const GONE_WITHIN_MS = 10_000;

export async function rtspFloods(place: AttackTarget): Promise<AttackResult> {
  let [played, longestMs] = [0, 0];
  let flood: StrangerReport = { opened: 0, held: 0, mostHeld: 0, longestMs: 0 };
  const seen = await meanwhile(place, 'main-site.ts', async () => {
    const stranger = startRole<StrangerOrder, StrangerReport>('./main-stranger.ts');
    try {
      const { rtspUrl } = await streamOf(place);
      const ports = { gateway: Number(new URL(place.url).port), rtsp: Number(new URL(rtspUrl).port) };
      const host = '127.0.0.1';
      await stranger.ask({
        open: { kinds: KINDS, count: place.count, host, ports, addresses: ADDRESSES, isAgain: true },
      });
      for (let play = 0; play < PLAYS; play += 1) {
        const tookMs = await firstPicture(place);
        if (tookMs === null) continue;
        played += 1;
        longestMs = Math.max(longestMs, tookMs);
      }
      await waitFor('the first of its connections to be closed', async () => (await stranger.ask({})).longestMs > 0);
      flood = await stranger.ask({ leave: true });
    } finally {
      await stranger.end();
    }
  });
  const broken = [
    ...tooSlow(seen.p95Ms),
    ...(played < PLAYS ? [`${played} of ${PLAYS} plays by RTSP showed a picture`] : []),
    ...(flood.longestMs > GONE_WITHIN_MS ? [`a connection without a ticket stood for ${flood.longestMs} ms`] : []),
  ];
  const ownerSaw = { played: `${played} of ${PLAYS}`, longestToPictureMs: longestMs, ...renamed(flood) };
  return { name: 'rtsp-floods', tried: `${place.count} connections: ${KINDS.join(', ')}`, ownerSaw, ...seen, broken };
}

function renamed({ opened, mostHeld, longestMs }: StrangerReport): Readonly<Record<string, number>> {
  return { opened, mostHeld, longestHeldMs: longestMs };
}

/** Milliseconds to a few packets of a new stream; null where none came. */
async function firstPicture(place: AttackTarget): Promise<number | null> {
  const { rtspUrl } = await streamOf(place);
  const url = new URL(rtspUrl);
  url.hostname = '127.0.0.1';
  const fromMs = performance.now();
  let packets = 0;
  try {
    const session = await openRtspSession({
      url: url.href,
      credentials: null,
      dial: dialDirect,
      clock: systemClock,
      clientNonce: () => 'abcdef',
      signal: AbortSignal.timeout(PICTURE_WITHIN_MS),
      chooseTracks: ({ media }) => media.slice(0, 1),
      transport: 'tcp-only',
      sink: { packet: () => (packets += 1), senderReport: () => undefined, bye: () => undefined },
      onEnded: () => undefined,
    });
    try {
      await session.play();
      await waitFor('packets', () => packets > 5, PICTURE_WITHIN_MS);
      return Math.round(performance.now() - fromMs);
    } finally {
      await session.close();
    }
  } catch {
    // Counted as not played.
    return null;
  }
}
