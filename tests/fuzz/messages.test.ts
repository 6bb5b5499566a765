// Fuzzes internal messages as an attacker would send them: live requests, notices and media, playlists, site messages.
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { EventEmitter } from 'node:events';
import { readLiveRequest } from '../../media/live/live-request.ts';
import { readLiveMedia, readLiveNotice } from '../../player/transports/live-message.ts';
import { joinWindows, PlaylistError, readPlaylist, writePlaylist } from '../../player/playback/hls/hls-playlist.ts';
import { readServerMessage } from '../../site/connection/server-message.ts';
import { SiteEndpoint, siteSecret } from '../../server/site-link/site-endpoint.ts';
import { SiteLink } from '../../server/site-link/site-link.ts';
import { pino } from 'pino';
import { it } from 'vitest';
import { fuzz } from './engine/fuzz.ts';

const WORDS = [
  '"',
  '{',
  '}',
  '[',
  ']',
  'null',
  '1e999',
  '-0',
  '"__proto__":',
  '\\u0000',
  '"type":"subscribe"',
  '"id":',
  '"ticket":',
];

it('[SE-82] live requests, notices and media messages', async () => {
  const media = Buffer.alloc(40, 1);
  const texts = [
    '{"type":"subscribe","id":1,"ticket":"abcdefghijklmnop","audio":true}',
    '{"type":"pause","id":65535}',
    '{"type":"ping","at":1.5}',
    '{"type":"state","id":1,"state":"stalled","reason":"timeout"}',
  ];
  await fuzz({
    name: 'live-messages',
    seeds: [media, ...texts.map((text) => Buffer.from(text))],
    words: WORDS,
    outputMax: (bytes) => bytes + 64,
    run: (input) => {
      const text = input.toString('utf8');
      const request = readLiveRequest(text);
      if (request && 'id' in request && !(request.id >= 1 && request.id <= 65_535)) throw new Error(`id ${request.id}`);
      if (({} as Record<string, unknown>)['ticket'] !== undefined) throw new Error('the prototype was changed');
      readLiveNotice(text);
      const bytes = new Uint8Array(input);
      return readLiveMedia(bytes.buffer)?.payload.length ?? 0;
    },
  });
});

it('[SE-82] playlists as the player reads them', async () => {
  const playlist = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-TARGETDURATION:3',
    '#EXT-X-MAP:URI="init-1.mp4",BYTERANGE="800@0"',
    '#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z',
    '#EXTINF:2.000,',
    '#EXT-X-BYTERANGE:500@800',
    'a.m4s',
    '#EXT-X-DISCONTINUITY',
    '#EXTINF:2.000,',
    '#EXT-X-BYTERANGE:500',
    'a.m4s',
    '#EXT-X-ENDLIST',
  ].join('\n');
  await fuzz({
    name: 'playlist',
    seeds: [Buffer.from(playlist)],
    words: ['#EXTINF:', '#EXT-X-MAP:', '#EXT-X-BYTERANGE:', '@', '"', '\n', '\r\n', '1e308', 'javascript:', '//'],
    allowed: [PlaylistError],
    // Every address is written whole, and the map again where it changes.
    outputMax: (bytes) => 300 * bytes + 1000,
    run: (input) => {
      const segments = readPlaylist(input.toString('utf8'), 'http://site/media/hls/ticket/index.m3u8');
      return writePlaylist(joinWindows(segments, segments)).length;
    },
  });
});

/** As much of a WebSocket as the link uses. */
class HeardSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  closed: number | null = null;
  send(): void {
    // Nobody reads it.
  }
  close(code: number): void {
    this.closed = code;
  }
  terminate(): void {
    this.closed = 1006;
  }
}

it('[SE-82] messages of the site protocol, before and after its hello', async () => {
  const masterKey = Buffer.alloc(32, 3);
  const clock = new FakeClock();
  const hello = { type: 'hello', protocol: 1, siteId: 'local', secret: siteSecret(masterKey, 'local') };
  const texts = [
    JSON.stringify(hello),
    '{"type":"event","seq":1,"event":{"kind":"deviceStatus","deviceSerial":"A","status":1,"reason":null,"at":1}}',
    '{"type":"answer","id":1,"code":200,"data":{}}',
    '{"type":"ack","seq":1}',
    '{"type":"call","id":1,"name":"probe","input":{"target":"rtsp://a"}}',
  ];
  await fuzz({
    name: 'site-port',
    seeds: texts.map((text) => Buffer.from(text)),
    words: [...WORDS, '"type":"answer"', '"type":"event"', '"seq":'],
    run: async (input) => {
      const log = pino({ level: 'silent' });
      const link = new SiteLink({
        siteId: 'local',
        clock,
        log,
        onEvents: async () => undefined,
        onDirect: () => undefined,
        onConnect: async () => undefined,
        onConnected: () => undefined,
        onDisconnected: () => undefined,
      });
      const authenticator = { authenticate: async () => null } as never;
      const takeLine = async (siteId: string) => ({ siteId, nodeId: 'n', epoch: 1 });
      const inside = { insideSiteId: 'local', takeLine };
      const endpoint = new SiteEndpoint({ masterKey, clock, log, authenticator, linkOf: () => link, ...inside });
      for (const isIn of [false, true]) {
        const socket = new HeardSocket();
        const slot = { extend: () => undefined, assignTo: () => true };
        endpoint.accept(socket as never, { isInside: isIn, address: '192.0.2.7', slot });
        if (isIn) {
          socket.emit('message', Buffer.from(JSON.stringify(hello)));
          await new Promise(setImmediate);
        }
        socket.emit('message', input);
        socket.emit('close');
      }
      readServerMessage(input.toString('utf8'));
      return 0;
    },
  });
});
