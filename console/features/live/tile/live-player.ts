// What all tiles of the wall share: one socket, one opening queue, one decoder check per codec, one transport policy, one audio output.
import { Semaphore } from '@vedette/foundation/concurrency/semaphore.ts';
import { pageDecoders } from '@vedette/player/decode/decoder-port.ts';
import { browserDecoderSupport, type DecoderSupport, usesWebCodecs } from '@vedette/player/decode/decoder-support.ts';
import { LiveConnection } from '@vedette/player/transports/live-connection.ts';
import { playerClock, type PlayerClock } from '@vedette/player/core/player-clock.ts';
import { BrowserAudioOutput, type AudioOutput } from '@vedette/player/audio/audio-output.ts';
import { makeTransport } from '@vedette/player/transports/make-transport.ts';
import type { MakeTransport } from '@vedette/player/transports/transport.ts';
import { browserStore } from '@vedette/player/transports/transport-memory.ts';
import { TransportPolicy } from '@vedette/player/transports/transport-policy.ts';
import { createContext, useContext, useEffect, useState } from 'react';

export interface LivePlayer {
  readonly connection: LiveConnection;
  readonly opening: Semaphore;
  readonly support: DecoderSupport;
  readonly policy: TransportPolicy;
  readonly audioOutput: AudioOutput;
  readonly clock: PlayerClock;
  readonly makeTransport: MakeTransport;
}

const TILES_OPENING_AT_ONCE = 4;

function liveAddress(): string {
  const address = new URL('/media/live', location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return address.href;
}

function createLivePlayer(): LivePlayer {
  return {
    connection: new LiveConnection({
      url: liveAddress(),
      clock: playerClock,
      openSocket: (url) => new WebSocket(url),
    }),
    opening: new Semaphore({ places: TILES_OPENING_AT_ONCE }),
    support: browserDecoderSupport(),
    policy: new TransportPolicy({ clock: playerClock, store: browserStore() }),
    audioOutput: new BrowserAudioOutput(),
    clock: playerClock,
    makeTransport,
  };
}

export const LivePlayerContext = createContext<LivePlayer | null>(null);

export function useLivePlayer(): LivePlayer {
  const player = useContext(LivePlayerContext);
  if (player === null) throw new Error('the wall has no player');
  return player;
}

/** One player for as long as the wall is on screen. */
export function useNewLivePlayer(): LivePlayer {
  const [player] = useState(createLivePlayer);
  useEffect(() => {
    usesWebCodecs(player.support).then(
      (uses) => uses && pageDecoders.warm(),
      () => undefined, // The first tile asks again, and says why.
    );
    const retry = (): void => player.connection.retryNow();
    window.addEventListener('online', retry);
    return () => {
      window.removeEventListener('online', retry);
      player.connection.close();
    };
  }, [player]);
  return player;
}
