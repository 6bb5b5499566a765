// Viewers that come and go: each signs in, watches a camera for a while over TLS, and signs out.
import { Semaphore } from '@vedette/foundation/concurrency/semaphore.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { wait } from '@vedette/foundation/time/wait.ts';
import { ApiClient } from '../../harness/api-client.ts';
import { LiveViewer } from '../../harness/live-viewer.ts';
import { waitFor } from '../../harness/wait-for.ts';
import { again, oneOf, type SoakWorld } from '../world.ts';

export interface Visits {
  total: number;
  frames: number;
}

const VIEWING_MS = { least: 10_000, more: 35_000 };
const AWAY_MS = { least: 500, more: 8000 };
const FIRST_PICTURE_MS = 15_000;
/** What a viewer gets first was kept since the last key frame, and is as old. */
const KEPT_MS = 3000;
/** A stream that stopped. */
const SILENT_MS = 5000;
/** Within moof, behind the head of mfhd (ISO 14496-12 8.8.5). */
const SEQUENCE_AT = 20;

export async function watchOften(world: SoakWorld, password: string, visits: Visits): Promise<void> {
  const { options, random } = world;
  const between = ({ least, more }: typeof AWAY_MS): number => least + random() * more;
  // One after the other: many at once who have not given their password yet are taken for somebody who guesses.
  const doorway = new Semaphore({ places: 1 });
  const signIn = (): Promise<ApiClient> => doorway.run(() => signedIn(world.url, password));
  const viewers = Array.from({ length: options.viewers }, async () => {
    await again(
      world,
      'a viewer',
      () => between(AWAY_MS),
      async () => visit(world, await signIn(), between(VIEWING_MS), visits),
    );
  });
  await Promise.all(viewers);
}

async function signedIn(url: string, password: string): Promise<ApiClient> {
  const client = new ApiClient(url);
  const input = { account: 'operator', password, browserId: 'soak', clientType: 'web' } as const;
  client.accessToken = (await client.ok('account/login', input)).accessToken;
  return client;
}

async function visit(world: SoakWorld, session: ApiClient, viewingMs: number, visits: Visits): Promise<void> {
  const { url, cameras, random, signal } = world;
  const { ticket } = await session.ok('media/url', { ...oneOf(cameras, random), quality: 0 });
  const askedMs = Date.now();
  const viewer = await LiveViewer.open(url, ticket);
  try {
    await waitFor('the first picture', () => viewer.fragments.length > 0, FIRST_PICTURE_MS);
    noteUndisturbed(world, 'pictureMs/first', askedMs, Date.now() - askedMs);
    await wait(systemClock, viewingMs, signal);
    refuseBroken(viewer);
    const delays = viewer.fragments.filter(({ arrivedAt }) => arrivedAt > askedMs + KEPT_MS).map(delayOf);
    if (delays.length > 0) noteUndisturbed(world, 'pictureMs/delay', askedMs, percentile(delays, 0.95));
    visits.total += 1;
    visits.frames += viewer.fragments.length;
  } finally {
    viewer.close();
    if (!signal.aborted) await session.ok('account/logout', {});
  }
}

function noteUndisturbed({ book, outages }: SoakWorld, series: string, sinceMs: number, value: number): void {
  if (!outages.touch(sinceMs, Date.now())) book.note(series, value);
}

/** Throws where the stream ended or stopped, or a frame is missing. */
function refuseBroken({ fragments, end }: LiveViewer): void {
  if (end) throw new Error(`the stream ended with ${end.code}`);
  if (Date.now() - (fragments.at(-1)?.arrivedAt ?? 0) > SILENT_MS) throw new Error('the stream stopped');
  const numbers = fragments.map(({ payload }) => payload.readUInt32BE(SEQUENCE_AT));
  const lost = (numbers.at(-1) ?? 0) - (numbers[0] ?? 0) + 1 - numbers.length;
  if (lost > 0) throw new Error(`${lost} of ${numbers.length} frames are missing`);
}

function delayOf({ arrivedAt, wallMs }: { readonly arrivedAt: number; readonly wallMs: number }): number {
  return arrivedAt - wallMs;
}

function percentile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
