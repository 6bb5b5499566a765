// Playback on behalf of a shell: it fills and empties windows of playback, and seeks; the address of the recordings goes to the shell (ST-07).
import type { Handlers } from '@vedette/bridge/peer/peer.ts';
import type { WebTopics } from '@vedette/bridge/topics/web-topics.ts';
import { RECORD_SOURCE } from '@vedette/contract/enumerations.ts';
import { PLAYBACK_WINDOW_S } from '@vedette/contract/limits.ts';
import { SerialQueue } from '@vedette/foundation/concurrency/serial-queue.ts';
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { sendToShell } from '../bridge/native-shell.ts';
import { type PlaybackChannel, QUALITIES } from '../features/playback/playback-channel.ts';
import {
  emptyWindow,
  type PlaybackWall,
  readPlayback,
  showInWindow,
  writePlayback,
} from '../features/playback/playback-wall.ts';
import { PATHS } from '../navigation/paths.ts';
import { askServer, refuse } from './ask-server.ts';
import type { ClientParts, ClientRouter } from './client-parts.ts';

export function playbackHandlers(parts: ClientParts) {
  const { router } = parts;
  // Windows run beside each other, and share one address.
  const changes = new SerialQueue();
  return {
    'playback/start': async ({ deviceSerial, channelNo, startTime, endTime, window }, signal) => {
      const channel = { deviceSerial, channelNo };
      const asked = { ...channel, startTime, endTime: endTime ?? startTime + DAY_MS };
      if (asked.endTime <= startTime) refuse('endTime', 'tooSmall');
      const stream = await firstStream(parts, asked, signal);
      const opened = await router;
      await changes.run(async () => {
        const wall = showInWindow(openWall(opened).wall, window, channel) ?? refuse('window', 'tooBig');
        signal.throwIfAborted();
        await show(opened, wall, stream.startTime);
      });
      sendToShell('playback/stream', { window, ...channel, ...stream });
      return {};
    },
    'playback/stop': async ({ window }) => {
      const opened = await router;
      await changes.run(async () => {
        const { wall, isOpen } = openWall(opened);
        if (isOpen) await show(opened, emptyWindow(wall, window), null);
      });
      return {};
    },
    'playback/seek': async ({ time, window }) => {
      const opened = await router;
      await changes.run(async () => {
        const { wall } = openWall(opened);
        if (!wall.cells[window - 1]) refuse('window', 'empty');
        await show(opened, wall, time);
      });
      return {};
    },
  } satisfies Handlers<WebTopics>;
}

interface Range {
  readonly startTime: number;
  readonly endTime: number;
}

interface Stream extends Range {
  readonly url: string;
}

/** Of the first record: a playlist of ours, else the fragments of the device; at most 600 s. */
async function firstStream(
  { caller }: ClientParts,
  asked: PlaybackChannel & Range,
  signal: AbortSignal,
): Promise<Stream> {
  for (const quality of QUALITIES) {
    const { recordList } = await askServer(caller, 'record/query', { ...asked, quality }, signal);
    const [first] = recordList.toSorted((one, other) => one.startTime - other.startTime);
    if (first === undefined) continue;
    const startTime = Math.max(asked.startTime, first.startTime);
    const endTime = Math.min(asked.endTime, startTime + PLAYBACK_WINDOW_S * 1000);
    const path = first.srcType === RECORD_SOURCE.cloud ? 'record/hls' : 'record/url';
    const input = { ...asked, startTime, endTime, quality, srcType: first.srcType };
    const { url } = await askServer(caller, path, input, signal);
    return { url: new URL(url, location.href).href, startTime, endTime };
  }
  return refuse('startTime', 'noRecording');
}

/** Empty where another screen is open. */
function openWall({ state }: ClientRouter): { readonly wall: PlaybackWall; readonly isOpen: boolean } {
  const { pathname, search } = state.location;
  const address = new URLSearchParams(search);
  const isOpen = pathname === PATHS.container && !address.has('tab');
  return { wall: readPlayback(isOpen ? address : new URLSearchParams()), isOpen };
}

/** `at`: null lets the time stand as it is. */
async function show({ state, navigate }: ClientRouter, wall: PlaybackWall, at: number | null): Promise<void> {
  const before = new URLSearchParams(state.location.pathname === PATHS.container ? state.location.search : '');
  before.delete('tab');
  const address = writePlayback(before, wall);
  if (at !== null) address.set('time', String(Math.round(at)));
  await navigate(`${PATHS.container}?${address}`, { replace: state.location.pathname === PATHS.container });
}
