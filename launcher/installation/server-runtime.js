// Thread count of the server.

/** libuv gives at most half of them to name look-ups: as many as server/outbound/outbound-client.ts has under way. */
export const serverThreads = '8';
