// Timeouts for request bodies: calls as a whole, uploads by progress and in total.

import { hasBody } from './headers.js';

/** Paths below it are the server's upload endpoints. */
export const uploads = '/upload/';
/** A call that is not whole by then is cut off. */
const callMs = 60_000;
/** An upload goes on for as long as it gets on: a file of the largest size takes a slow line half an hour. */
const stallMs = 60_000;
const uploadMs = 3_600_000;
const lookEveryMs = 2000;

/** @typedef {{ callMs?: number, stallMs?: number }} BodyLimits */

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {BodyLimits} limits for tests
 */
export function boundBody(request, limits = {}) {
  if (!hasBody(request)) return;
  const { socket } = request;
  const isUpload = (request.url ?? '').startsWith(uploads);
  const most = isUpload ? uploadMs : (limits.callMs ?? callMs);
  const stall = isUpload ? (limits.stallMs ?? stallMs) : most;
  const begun = performance.now();
  let seen = socket.bytesRead;
  let movedAt = begun;
  const timer = setInterval(
    () => {
      if (request.complete) return clearInterval(timer);
      const now = performance.now();
      if (socket.bytesRead !== seen) movedAt = now;
      seen = socket.bytesRead;
      if (now - begun > most || now - movedAt > stall) socket.destroy();
    },
    Math.min(lookEveryMs, stall / 4),
  );
  request.once('close', () => clearInterval(timer));
}
