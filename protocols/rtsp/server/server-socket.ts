// What an RTSP client of ours is connected by.
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A socket of the network, or a stream that stands in for one. */
export type RtspServerSocket = Duplex &
  Partial<Pick<Socket, 'remoteAddress' | 'localAddress' | 'setNoDelay' | 'resetAndDestroy'>>;
