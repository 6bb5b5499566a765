// What a page or program may show of its event socket.

/** `idle`: closed on purpose, or never opened. */
export type ConnectionState = 'idle' | 'connecting' | 'online' | 'reconnecting';
