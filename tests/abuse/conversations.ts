// What clients say at each endpoint of the product, in bytes, with a place at which somebody may change them.
import { randomBytes } from 'node:crypto';
import type { ApiClient } from '../harness/api-client.ts';

export type Change = (bytes: Buffer) => Buffer;

export interface Conversation {
  readonly port: 'gateway' | 'rtsp';
  /** One after another: the next once the first has been answered. */
  readonly parts: readonly Buffer[];
}

/** Makes one as a client says it, with each of its messages changed by what is given. */
export type Speaker = (change: Change) => Conversation;

export interface SpeakerPlace {
  readonly owner: ApiClient;
  readonly dev: { readonly deviceSerial: string; readonly channelNo: number };
}

const CRLF = '\r\n';
/** RFC 6455 5.2 */
const [TEXT, BINARY, PING] = [1, 2, 9];
const SDP = [
  'v=0',
  'o=- 1 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111 0',
  'c=IN IP4 0.0.0.0',
  'a=mid:0',
  'a=sendonly',
  'a=ice-ufrag:abcd',
  'a=ice-pwd:abcdefghijklmnopqrstuvwx',
  `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AB').join(':')}`,
  'a=setup:actpass',
  'a=rtcp-mux',
  'a=rtpmap:111 opus/48000/2',
  'a=candidate:1 1 udp 2122260223 127.0.0.1 50000 typ host',
  '',
].join(CRLF);

function http(line: string, headers: readonly string[], body: Buffer): Buffer {
  const head = [`${line} HTTP/1.1`, 'host: localhost', ...headers, 'connection: close'];
  if (body.length > 0) head.push(`content-length: ${body.length}`);
  return Buffer.concat([Buffer.from(head.join(CRLF) + CRLF + CRLF), body]);
}

/** RFC 6455 5.2: a masked frame of a client. */
function frame(opcode: number, payload: Buffer): Buffer {
  const long = payload.length > 125;
  const head = Buffer.alloc(long ? 4 : 2);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | (long ? 126 : payload.length);
  if (long) head.writeUInt16BE(Math.min(payload.length, 0xffff), 2);
  const mask = randomBytes(4);
  const masked = Buffer.from(payload.subarray(0, 0xffff).map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
  return Buffer.concat([head, mask, masked]);
}

function upgrade(path: string): Buffer {
  const key = `sec-websocket-key: ${randomBytes(16).toString('base64')}`;
  const lines = [`GET ${path} HTTP/1.1`, 'host: localhost', 'connection: Upgrade', 'upgrade: websocket'];
  return Buffer.from([...lines, 'sec-websocket-version: 13', key, '', ''].join(CRLF));
}

function socket(path: string, messages: readonly object[]): Speaker {
  return (change) => {
    const texts = messages.map((message) => frame(TEXT, change(Buffer.from(JSON.stringify(message)))));
    const others = [frame(BINARY, change(Buffer.from('bytes'))), frame(PING, Buffer.from('?'))];
    return { port: 'gateway', parts: [upgrade(path), Buffer.concat([...texts, ...others])] };
  };
}

function request(line: string, headers: readonly string[], body: Buffer | string = ''): Speaker {
  return (change) => ({ port: 'gateway', parts: [http(line, headers, change(Buffer.from(body)))] });
}

/** The head too, and what it says of the body. */
function rawRequest(line: string, headers: readonly string[], body = ''): Speaker {
  return (change) => ({ port: 'gateway', parts: [change(http(line, headers, Buffer.from(body)))] });
}

function rtsp(url: string): Speaker {
  const say = (at: number, line: string, more: readonly string[] = []): Buffer =>
    Buffer.from([`${line} RTSP/1.0`, `CSeq: ${at}`, ...more, '', ''].join(CRLF));
  const setUp = ['Transport: RTP/AVP/TCP;unicast;interleaved=0-1'];
  return (change) => ({
    port: 'rtsp',
    parts: [
      change(say(1, `OPTIONS ${url}`)),
      change(say(2, `DESCRIBE ${url}`, ['Accept: application/sdp'])),
      change(say(3, `SETUP ${url}/trackID=0`, setUp)),
      change(say(4, `PLAY ${url}`, ['Session: 1', 'Range: npt=0-'])),
      // RFC 2326 10.12: a frame of the client, as its receiver reports come.
      change(Buffer.concat([Buffer.from([0x24, 1, 0, 8, 0x80, 0xc9, 0, 1]), randomBytes(4)])),
    ],
  });
}

const FORM = [
  '--edge',
  'Content-Disposition: form-data; name="deviceModel"',
  '',
  'No such model',
  '--edge',
  'Content-Disposition: form-data; name="version"',
  '',
  '1.0',
  '--edge',
  'Content-Disposition: form-data; name="file"; filename="fw.bin"',
  'Content-Type: application/octet-stream',
  '',
  'firmware',
  '--edge--',
  '',
].join(CRLF);

/** With tickets that are good: what is changed is not refused for them. */
export async function speakers({ owner, dev }: SpeakerPlace): Promise<Speaker[]> {
  const now = Date.now();
  const { ticket, rtspUrl } = await owner.ok('media/url', { ...dev, quality: 0 });
  const { hlsUrl } = await owner.ok('media/url', { ...dev, quality: 1 });
  const { url: picture } = await owner.ok('capture/get', dev);
  // Not each camera can be talked to.
  const talk = await owner.call('talk/url', { ...dev, method: 'webrtc' });
  const talkTicket = talk.code === 200 ? new URL(talk.data.url, 'http://localhost').hash.slice(1) : 'none';
  const playback = await owner.ok('record/hls', { ...dev, startTime: now - 8000, endTime: now - 1000 });
  const bearer = `authorization: Bearer ${owner.accessToken}`;
  const json = [bearer, 'content-type: application/json'];
  const form = [bearer, 'content-type: multipart/form-data; boundary=edge'];
  const calls: Readonly<Record<string, object>> = {
    'device/list': { pageNo: 1, pageSize: 20, keyWord: 'x' },
    'device/probe': { target: 'rtsp://127.0.0.1:9/x', user: 'a', password: 'b' },
    'record/query': { ...dev, startTime: now - 8000, endTime: now },
    'layout/list': { pageStart: 0, pageSize: 10 },
    'event/ingest': { deviceSerial: dev.deviceSerial, type: 'MotionDetect', picture: 'AAAA' },
    'config/get': { ...dev, type: 'video' },
  };
  return [
    ...Object.entries(calls).flatMap(([path, input]) => [
      request(`POST /api/v1/${path}`, json, JSON.stringify(input)),
      rawRequest(`POST /api/v1/${path}`, json, JSON.stringify(input)),
    ]),
    request('POST /upload/firmware', form, FORM),
    rawRequest('POST /upload/firmware', form, FORM),
    request(
      'POST /api/v1/version/upload?versionId=1&offset=0&size=3',
      [bearer, 'content-type: application/octet-stream'],
      'abc',
    ),
    request('POST /media/whep/none', ['content-type: application/sdp'], SDP),
    ...[hlsUrl, picture, playback.url].map((url) =>
      rawRequest(`GET ${new URL(url, 'http://localhost').pathname}`, ['range: bytes=0-9']),
    ),
    rawRequest('GET /oauth2/authorize?client_id=a&redirect_uri=b&state=c', ['accept-language: zh']),
    socket('/ws', [{ type: 'hello', accessToken: owner.accessToken, since: 0 }, { type: 'ping' }]),
    socket('/media/live', [
      { type: 'subscribe', id: 1, ticket, audio: true },
      { type: 'follow', id: 1, tracks: true },
      { type: 'pause', id: 1 },
      { type: 'ping', at: 1 },
    ]),
    socket('/media/talk', [
      { type: 'open', ticket: talkTicket },
      { type: 'offer', sdp: SDP },
    ]),
    rtsp(rtspUrl),
  ];
}
