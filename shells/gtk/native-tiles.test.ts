// Tests of the tiles that the shell plays: with a page that answers, refuses and moves them.
import { BUSY, DENIED, succeeded } from '@vedette/bridge/messages/bridge-answer.ts';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { beforeEach, expect, it, vi } from 'vitest';
import type { ShellPeer } from '../desktop/window/shell-window.ts';
import { NativeTiles } from './native-tiles.ts';

const CHANNEL = { deviceSerial: 'VD1', channelNo: 1 };
const RECT = { x: 10, y: 20, width: 300, height: 200 };
const PLACE = { rect: RECT, dpr: 1 };
const TOLD = { ...PLACE, isCovered: false };
const switched = (ticket: string) =>
  succeeded({ rtspUrl: `rtsp://host/${ticket}`, ...CHANNEL, codec: 'h265', rect: RECT, dpr: 1 });

let clock: FakeClock;
const ask = vi.fn<(topic: string, data: object) => Promise<unknown>>();
const player = { play: vi.fn(), place: vi.fn(), stop: vi.fn() };
let tiles: NativeTiles;

beforeEach(() => {
  vi.resetAllMocks();
  clock = new FakeClock();
  tiles = new NativeTiles({ ask } as unknown as ShellPeer, player, clock);
});

it('plays at the place that the page says, and tells nobody the address', async () => {
  ask.mockResolvedValue(switched('ticket-1'));
  expect(await tiles.play(3)).toEqual({ code: 200, data: {} });
  expect(ask).toHaveBeenCalledWith('live/switchRtsp', { window: 3 });
  expect(player.play).toHaveBeenCalledWith(3, 'rtsp://host/ticket-1', PLACE);
  tiles.placeAll([{ window: 3, rect: { ...RECT, x: 50 }, dpr: 2, isCovered: true }]);
  expect(player.place).toHaveBeenCalledWith(3, { rect: { ...RECT, x: 50 }, dpr: 2 });
  expect(player.stop).not.toHaveBeenCalled();
});

it('plays nothing where the page refuses', async () => {
  ask.mockResolvedValue(DENIED);
  expect(await tiles.play(3)).toEqual(DENIED);
  expect(player.play).not.toHaveBeenCalled();
  expect(await tiles.giveBack(3)).toMatchObject({ code: 1006 });
});

it('tells the page what it shows, for the boxes that are drawn over it', async () => {
  ask.mockResolvedValue(switched('ticket-1'));
  const picture = { width: 1280, height: 720, delayMs: 240 };
  tiles.onPlaying({ tile: 3, ...picture });
  expect(ask).not.toHaveBeenCalled();
  await tiles.play(3);
  tiles.onPlaying({ tile: 3, ...picture });
  expect(ask).toHaveBeenLastCalledWith('live/picture', { window: 3, ...picture });
});

it('ends a tile that is out of sight, and plays it again with a new ticket when its wall is back', async () => {
  ask.mockResolvedValue(switched('ticket-1'));
  await tiles.play(2);
  tiles.placeAll([]);
  tiles.placeAll([]);
  expect(player.stop.mock.calls).toEqual([[2]]);
  // What GStreamer still says of it starts nothing.
  tiles.onLost(2);
  await clock.advanceAsync(60_000);
  expect(ask).toHaveBeenCalledTimes(1);
  ask.mockResolvedValue(switched('ticket-2'));
  tiles.placeAll([{ window: 2, ...TOLD }]);
  tiles.placeAll([{ window: 2, ...TOLD }]);
  await vi.waitFor(() => expect(player.play).toHaveBeenLastCalledWith(2, 'rtsp://host/ticket-2', PLACE));
  expect(ask).toHaveBeenCalledTimes(2);
});

it('ends a tile that the page does not name any more, and gives one back by starting its channel', async () => {
  ask.mockResolvedValue(switched('ticket-1'));
  await tiles.play(1);
  await tiles.play(2);
  tiles.placeAll([{ window: 2, ...TOLD }]);
  expect(player.stop.mock.calls).toEqual([[1]]);
  ask.mockResolvedValue(succeeded({}));
  expect(await tiles.turn(2)).toMatchObject({ code: 200 });
  expect(ask).toHaveBeenLastCalledWith('live/start', { ...CHANNEL, window: 2 });
  expect(player.stop.mock.calls).toEqual([[1], [2]]);
});

it('asks for a new ticket when the stream breaks, more and more seldom while the page is busy', async () => {
  ask.mockResolvedValue(switched('ticket-1'));
  await tiles.play(1);
  ask.mockResolvedValue(BUSY);
  tiles.onLost(1);
  expect(player.stop).toHaveBeenCalledWith(1);
  await clock.advanceAsync(500);
  await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(2));
  ask.mockResolvedValue(switched('ticket-2'));
  await clock.advanceAsync(1000);
  await vi.waitFor(() => expect(player.play).toHaveBeenLastCalledWith(1, 'rtsp://host/ticket-2', PLACE));
});

it('gives the tile back where the page gives no ticket any more, and forgets what a new page does not know', async () => {
  ask.mockResolvedValue(switched('ticket-1'));
  await tiles.play(1);
  ask.mockImplementation(async (topic) => (topic === 'live/start' ? succeeded({}) : DENIED));
  tiles.onLost(1);
  await clock.advanceAsync(500);
  await vi.waitFor(() => expect(ask).toHaveBeenLastCalledWith('live/start', { ...CHANNEL, window: 1 }));
  ask.mockResolvedValue(switched('ticket-3'));
  await tiles.play(1);
  tiles.forget();
  const before = ask.mock.calls.length;
  tiles.onLost(1);
  await clock.advanceAsync(60_000);
  expect(ask).toHaveBeenCalledTimes(before);
});
