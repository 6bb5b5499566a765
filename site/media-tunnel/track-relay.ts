// Tells the local site what edge intelligence follows on one channel of this remote site, over one stream of the media tunnel.
import { createInterface } from 'node:readline';
import { readTracksRequest, TRACKS_LIMITS, type TracksRequest } from '@vedette/contract/site/site-tracks.ts';
import type { FollowTracks } from '@vedette/media/live/live-grant.ts';
import type { TunnelStream } from './tunnel-stream.ts';

/** Null: no such channel here. */
export type TracksOfChannel = (channel: TracksRequest) => FollowTracks | null;

/** A local site that does not read misses some: each line says all that is followed. */
const QUEUE_LIMIT_BYTES = 64 * 1024;

export function serveTracks(stream: TunnelStream, tracksOf: TracksOfChannel): void {
  let received = 0;
  stream.on('data', (bytes: Buffer) => {
    received += bytes.length;
    if (received > TRACKS_LIMITS.request) stream.destroy();
  });
  createInterface({ input: stream }).once('line', (line) => {
    const request = readTracksRequest(line);
    const follow = request && tracksOf(request);
    if (!follow) {
      stream.end();
      return;
    }
    const stop = follow((tracks) => {
      if (stream.writableLength <= QUEUE_LIMIT_BYTES) stream.write(`${JSON.stringify(tracks)}\n`);
    });
    stream.once('close', stop);
    if (stream.destroyed) stop();
  });
}
