// Live view on behalf of a shell: it fills and empties windows of the wall, and may play one of them itself by RTSP (ST-06).
import { BridgeRefusal, DENIED } from '@vedette/bridge/messages/bridge-answer.ts';
import type { Handlers } from '@vedette/bridge/peer/peer.ts';
import type { WebTopics } from '@vedette/bridge/topics/web-topics.ts';
import { QUALITY } from '@vedette/contract/enumerations.ts';
import { sendToShell } from '../bridge/native-shell.ts';
import { pickStream } from '../features/live/channel/stream-choice.ts';
import { leaveToShell, setNativePicture, takeFromShell } from '../features/live/tile/native-tiles.ts';
import { emptyWindow, showInWindow } from '../features/live/wall/wall-model.ts';
import { changeWall, useWall } from '../features/live/wall/wall-store.ts';
import { PATHS } from '../navigation/paths.ts';
import { askServer, refuse } from './ask-server.ts';
import { CdnStreams } from './cdn-streams.ts';
import type { ClientParts } from './client-parts.ts';
import { tilePlace, waitForTile } from './native-tile-places.ts';
import { openScreen } from './shell-windows.ts';

export function liveHandlers({ caller, router, clock }: ClientParts) {
  const cdnStreams = new CdnStreams(caller);
  return {
    'live/start': async ({ deviceSerial, channelNo, quality, window }, signal) => {
      const channel = { deviceSerial, channelNo };
      const asked = { ...channel, quality: quality ?? QUALITY.main };
      const liveId = await cdnStreams.start(window, asked, signal);
      const addresses = liveId === null ? await askServer(caller, 'media/url', asked, signal) : null;
      await openScreen(await router, PATHS.liveVideo);
      signal.throwIfAborted();
      if (quality !== undefined) pickStream(channel, quality);
      changeWall((wall) => showInWindow(wall, window, channel));
      takeFromShell(cellAt(window));
      if (liveId !== null) sendToShell('live/cdn', { window, liveId });
      if (addresses !== null) {
        const { p2pUrl, forwardUrl } = addresses;
        sendToShell('live/stream', { window, ...channel, p2pUrl, forwardUrl });
      }
      return {};
    },
    'live/stop': async ({ window }) => {
      takeFromShell(cellAt(window));
      changeWall((wall) => emptyWindow(wall, window));
      await cdnStreams.end(window);
      return {};
    },
    'live/switchRtsp': async ({ window }, signal) => {
      const cell = cellAt(window);
      const channel = useWall.getState().cells[cell] ?? refuse('window', 'empty');
      const { deviceSerial, channelNo } = channel;
      const asked = { deviceSerial, channelNo, quality: QUALITY.main };
      const { rtspUrl, codec } = await askServer(caller, 'media/url', asked, signal);
      if (rtspUrl === '') throw new BridgeRefusal(DENIED);
      await openScreen(await router, PATHS.liveVideo);
      const tile = await waitForTile({ cell, clock, signal });
      leaveToShell(cell, channel);
      const { rect, dpr } = tilePlace(tile);
      return { rtspUrl, deviceSerial, channelNo, codec, rect, dpr };
    },
    'live/picture': ({ window, ...picture }) =>
      setNativePicture(cellAt(window), picture) ? {} : refuse('window', 'notAllowed'),
  } satisfies Handlers<WebTopics>;
}

/** The cell at a window of the wall, which counts from 1. */
function cellAt(window: number): number {
  return useWall.getState().order[window - 1] as number;
}
