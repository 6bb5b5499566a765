// Timeouts for request bodies: calls as a whole, uploads by progress and in total.
import type { IncomingMessage } from 'node:http';
import { hasBody } from './headers.ts';

/** Paths below it are the server's upload endpoints. */
export const UPLOADS = '/upload/';
/** A call that is not whole by then is cut off. */
const CALL_MS = 60_000;
/** An upload goes on for as long as it gets on: a file of the largest size takes a slow line half an hour. */
const STALL_MS = 60_000;
const UPLOAD_MS = 3_600_000;
const LOOK_EVERY_MS = 2000;

export interface BodyLimits {
  readonly callMs?: number;
  readonly stallMs?: number;
}

/** @param limits for tests */
export function boundBody(request: IncomingMessage, limits: BodyLimits = {}): void {
  if (!hasBody(request)) return;
  const { socket } = request;
  const isUpload = (request.url ?? '').startsWith(UPLOADS);
  const most = isUpload ? UPLOAD_MS : (limits.callMs ?? CALL_MS);
  const stall = isUpload ? (limits.stallMs ?? STALL_MS) : most;
  const begun = performance.now();
  let seen = socket.bytesRead;
  let movedAt = begun;
  const look = (): void => {
    if (request.complete) {
      clearInterval(timer);
      return;
    }
    const now = performance.now();
    if (socket.bytesRead !== seen) movedAt = now;
    seen = socket.bytesRead;
    if (now - begun > most || now - movedAt > stall) socket.destroy();
  };
  const timer = setInterval(look, Math.min(LOOK_EVERY_MS, stall / 4));
  request.once('close', () => clearInterval(timer));
}
