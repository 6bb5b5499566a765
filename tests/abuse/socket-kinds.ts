// What a stranger's sockets say at each endpoint of the product, one row each.

export interface KindOfSocket {
  readonly port: 'gateway' | 'rtsp';
  readonly isSecure: boolean;
  /** Once it is open. */
  readonly first: string;
  /** Again and again. */
  readonly more?: { readonly text: string; readonly everyMs: number };
}

function upgrade(path: string): string {
  const lines = [`GET ${path} HTTP/1.1`, 'host: localhost', 'connection: Upgrade', 'upgrade: websocket'];
  lines.push('sec-websocket-version: 13', 'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==');
  return `${lines.join('\r\n')}\r\n\r\n`;
}

function rtsp(method: string, url: string): string {
  return `${method} ${url} RTSP/1.0\r\nCSeq: 1\r\n\r\n`;
}

const plain = (first: string): KindOfSocket => ({ port: 'gateway', isSecure: false, first });
const overRtsp = (first: string, more?: KindOfSocket['more']): KindOfSocket => ({
  port: 'rtsp',
  isSecure: false,
  first,
  ...(more && { more }),
});

/** RFC 8446 5.1: head of a handshake record of 512 bytes, of which nothing follows. */
const HALF_HELLO = '\u0016\u0003\u0001\u0002\u0000';
/** RFC 2326 10.12: a frame of 100 bytes on channel 9, which nobody set up. */
const STRAY_FRAME = `$\u0009\u0000\u0064${'j'.repeat(100)}`;

const ROWS = {
  silent: plain(''),
  'half-tls': plain(HALF_HELLO),
  'half-head': plain('GET / HTTP/1.1\r\nhost: localhost\r\n'),
  'half-body': plain('POST /api/v1/device/list HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n{'),
  'idle-http': plain('GET /trust HTTP/1.1\r\nhost: localhost\r\n\r\n'),
  live: plain(upgrade('/media/live')),
  talk: plain(upgrade('/media/talk')),
  page: plain(upgrade('/ws')),
  // Remote sites are let in by TLS alone.
  site: { port: 'gateway', isSecure: true, first: upgrade('/site') },
  'rtsp-silent': overRtsp(''),
  'rtsp-options': overRtsp(rtsp('OPTIONS', '*'), { text: rtsp('OPTIONS', '*'), everyMs: 1000 }),
  'rtsp-describe': overRtsp(rtsp('DESCRIBE', 'rtsp://localhost/no-such-ticket-at-all')),
  'rtsp-frames': overRtsp(STRAY_FRAME, { text: STRAY_FRAME, everyMs: 500 }),
  'rtsp-headers': overRtsp('OPTIONS * RTSP/1.0\r\n', { text: 'x-more: headers\r\n', everyMs: 200 }),
  'rtsp-over-tls': overRtsp(HALF_HELLO),
} satisfies Record<string, KindOfSocket>;

export type SocketKind = keyof typeof ROWS;
export const KINDS: Readonly<Record<SocketKind, KindOfSocket>> = ROWS;
