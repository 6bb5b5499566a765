// Page of the wall bench: the player alone, with as many tiles as the address says.
import { Semaphore } from '@vedette/foundation/concurrency/semaphore.ts';
import { browserDecoderSupport } from '@vedette/player/decode/decoder-support.ts';
import { LiveConnection } from '@vedette/player/transports/live-connection.ts';
import { LiveTile } from '@vedette/player/live/live-tile.ts';
import { playerClock } from '@vedette/player/core/player-clock.ts';
import { makeTransport } from '@vedette/player/transports/make-transport.ts';
import { TransportPolicy } from '@vedette/player/transports/transport-policy.ts';
import { watchVisibility } from '@vedette/player/core/visibility.ts';

declare global {
  interface Window {
    /** Given by the bench: a ticket for the tile of this number. */
    ticketFor: (tile: number) => Promise<{ ticket: string; hlsUrl: string }>;
    wall: { frames: number; live: number; firstFrameMs: number[]; dropped: number; transports: string[] };
  }
}

const count = Number(new URLSearchParams(location.search).get('tiles') ?? '1');
const columns = Math.ceil(Math.sqrt(count));
document.body.style.gridTemplateColumns = `repeat(${columns}, 1fr)`;
document.body.style.gridAutoRows = `${100 / Math.ceil(count / columns)}vh`;
const address = new URL('/media/live', location.href);
address.protocol = address.protocol.replace('http', 'ws');
const shared = {
  connection: new LiveConnection({ url: address.href, clock: playerClock, openSocket: (url) => new WebSocket(url) }),
  opening: new Semaphore({ places: 4 }),
  clock: playerClock,
  support: browserDecoderSupport(),
  policy: new TransportPolicy({ clock: playerClock, store: null }),
  makeTransport,
};
let frames = 0;
const firstFrameMs: number[] = [];
const begun = performance.now();
const tiles = Array.from({ length: count }, (_, index) => openTile(index));

function openTile(index: number): LiveTile {
  const place = document.createElement('div');
  const [video, canvas] = [document.createElement('video'), document.createElement('canvas')];
  [video.muted, canvas.width, canvas.height] = [true, 0, 0];
  place.append(video, canvas);
  document.body.append(place);
  const tile = new LiveTile(shared);
  tile.attach({ video, canvas });
  watchVisibility(place, (isVisible) => tile.setVisible(isVisible));
  let isFirst = true;
  tile.onFrame(() => {
    frames += 1;
    if (isFirst) firstFrameMs.push(performance.now() - begun);
    isFirst = false;
  });
  tile.open({
    getTicket: async () => ({ kind: 'ticket', quality: 2, ...(await window.ticketFor(index)) }),
  });
  return tile;
}

Object.defineProperty(window, 'wall', {
  get: (): Window['wall'] => {
    const live = tiles.map(({ state }) => state).filter((state) => state.kind === 'live');
    return {
      frames,
      live: live.length,
      firstFrameMs,
      dropped: live.reduce((sum, { dropped }) => sum + dropped, 0),
      transports: [...new Set(live.map(({ transport, because }) => `${transport} ${because}`))],
    };
  },
});
