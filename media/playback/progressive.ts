// Sends a window of recordings as one fMP4 body, as fast as its reader takes it.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { PlaybackRange } from './playback-grant.ts';
import type { RecordedAac } from './encoded-audio/recorded-aac.ts';
import { exactWindowEnd, hasPlayableAudio, type WindowPlan } from './playback-plan.ts';
import { DamagedRecording, type RecordedMedia } from '../recordings/check/proven-media.ts';
import { readInit, readSegment } from './stored-media.ts';

export interface SendFragmentsRequest {
  readonly media: RecordedMedia;
  readonly plan: WindowPlan;
  readonly range: PlaybackRange;
  readonly response: ServerResponse;
  readonly ended: AbortSignal;
  readonly aac: RecordedAac | null;
}

/**
 * After a change of format the new init segment follows in the body, as MSE expects. Ends early when recordings are
 * removed; aborted when the right ends.
 */
export async function sendFragments(request: SendFragmentsRequest): Promise<void> {
  const { media, plan, range, response, ended, aac } = request;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const signal = AbortSignal.any([ended, gone.signal]);
  let initHash = '';
  const hasAudio = hasPlayableAudio(plan, aac !== null);
  for (const segment of plan.segments) {
    if (signal.aborted) break;
    const index = await media.store.readIndex(media.key, segment.fileStartMs);
    if (!index) break;
    const { firstRecord, count } = segment;
    const cutMs = exactWindowEnd(index.records.slice(firstRecord, firstRecord + count), range);
    const parts = await readUndamaged(media, index, { ...segment, hasAudio }, { cutMs, aac });
    if (parts === null) continue;
    if (segment.initHash !== initHash) {
      initHash = segment.initHash;
      response.write(await readInit(media, { fileStartMs: segment.fileStartMs, hasAudio }, aac));
    }
    let isFull = false;
    for (const part of parts) isFull = !response.write(part);
    if (isFull && !signal.aborted) await drained(response, signal);
  }
  // Queued data is dropped, and a truncated body does not look complete.
  if (ended.aborted) response.destroy();
  else response.end();
}

/** Null for an unreadable segment: those after it are still sent. */
async function readUndamaged(...request: Parameters<typeof readSegment>): Promise<readonly Buffer[] | null> {
  try {
    return await readSegment(...request);
  } catch (error) {
    if (error instanceof DamagedRecording) return null;
    throw error;
  }
}

async function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  try {
    await once(response, 'drain', { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
