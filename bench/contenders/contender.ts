// Interface of a media server in the engine bench: pull cameras, record or not, serve viewers.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { passes } from '../measure/json-line-process.ts';
import type { TreeUsage } from '../measure/process-tree.ts';
import type { Camera } from '../measure/cameras.ts';

export interface Work {
  readonly cameras: readonly Camera[];
  readonly isRecorded: boolean;
  /** The cameras have sound, and it is recorded. */
  readonly hasAudio: boolean;
  /** Viewers come over TLS. */
  readonly isSecure: boolean;
}

/** One viewer of a live stream: our own socket, or an endless fragmented MP4 over HTTP. */
export type Watch =
  | { readonly kind: 'live'; readonly base: string; readonly ticket: string }
  | { readonly kind: 'http'; readonly url: string };

export interface Contender {
  usage(): TreeUsage;
  /** How viewers see camera `index` (0-based); each answer opens one viewer. */
  watch(index: number): Promise<Watch>;
  /** Bytes of media on disk. */
  recordedBytes(): Promise<number>;
  /** Resolves when every camera is pulled. */
  untilPulled(): Promise<void>;
  stop(): Promise<void>;
}

export type StartContender = (work: Work) => Promise<Contender>;

/** Path of a program of a peer, or null: a peer that is not there is not measured. */
export function onPath(program: string): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, program);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

/** Until a contender that was just started listens. */
export async function untilAnswers(ask: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      // `fetch failed`: it does not listen yet.
      if (!(error instanceof TypeError)) throw error;
      await passes(100);
    }
  }
}
