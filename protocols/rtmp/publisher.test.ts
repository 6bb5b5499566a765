// Tests of the RTMP publisher against a scripted server on loopback: what it says, and servers that refuse, redirect, fall silent or speak something else.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { readAmf } from '../amf/amf0.ts';
import { RtmpConnection } from './connection.ts';
import { clientAnswer, clientHello, SERVER_HANDSHAKE_BYTES } from './handshake.ts';
import { RTMP_EVENT, RTMP_MESSAGE } from './message-types.ts';
import { parsePublishAddress } from './publish-address.ts';
import { RtmpPublisher, type RtmpPublisherOptions } from './publisher.ts';
import { RtmpError } from './rtmp-error.ts';
import { connectTo, type Script, type ScriptedServer, startScriptedServer, takesAll } from './scripted-server.fake.ts';

let server: ScriptedServer | null = null;
afterEach(() => {
  server?.close();
  server = null;
});

interface Opened {
  readonly publisher: RtmpPublisher;
  readonly server: ScriptedServer;
  readonly ends: RtmpError[];
}

async function open(script: Script, options: Partial<RtmpPublisherOptions> = {}): Promise<Opened> {
  const started = await startScriptedServer(script);
  server = started;
  const ends: RtmpError[] = [];
  const address = parsePublishAddress(`rtmp://127.0.0.1:${started.port}/live/one?key=k`);
  const publisher = await RtmpPublisher.open(await connectTo(started.port), address, {
    clock: systemClock,
    randomBytes,
    answerWithinMs: 5000,
    onClosed: (error) => ends.push(error),
    ...options,
  });
  return { publisher, server: started, ends };
}

const answered =
  (of: string, answer: readonly [string, ...Parameters<Script>[1]]): Script =>
  (name, args) =>
    name === of ? [answer] : takesAll(name, args);

describe('an RTMP publisher', () => {
  it('connects, publishes under the name with its key, and sends metadata, video and audio', async () => {
    const { publisher, server: peer, ends } = await open(takesAll);
    publisher.metadata({ width: 640 });
    publisher.video(0, [Buffer.alloc(10_000, 1), Buffer.alloc(3, 2)]);
    publisher.audio(0x1000001, [Buffer.alloc(5, 3)]);
    publisher.finish();
    await vi.waitFor(() => expect(peer.commands.at(-1)).toEqual(['deleteStream', null, 1]));
    const [connection, , , , publish] = peer.commands;
    const tcUrl = `rtmp://127.0.0.1:${peer.port}/live`;
    expect(connection?.[1]).toMatchObject({ app: 'live', tcUrl, fourCcList: expect.arrayContaining(['hvc1']) });
    expect(publish).toEqual(['publish', null, 'one?key=k', 'live']);
    const media = peer.messages.filter(({ type }) => type === RTMP_MESSAGE.video || type === RTMP_MESSAGE.audio);
    expect(media.map(({ timestampMs, payload }) => [timestampMs, payload.length])).toEqual([
      [0, 10_003],
      [0x1000001, 5],
    ]);
    const data = peer.messages.find(({ type }) => type === RTMP_MESSAGE.data);
    expect(readAmf(data?.payload ?? Buffer.alloc(0))).toEqual(['@setDataFrame', 'onMetaData', { width: 640 }]);
    await vi.waitFor(() => expect(ends.map(({ code }) => code)).toEqual(['closed']));
  });

  it('answers pings, and acknowledges what it received', async () => {
    const { server: peer } = await open(takesAll);
    const window = Buffer.alloc(4);
    window.writeUInt32BE(1000);
    peer.send(RTMP_MESSAGE.windowSize, window);
    peer.send(RTMP_MESSAGE.userControl, Buffer.of(0, RTMP_EVENT.pingRequest, 1, 2, 3, 4));
    const control = (type: number) => peer.messages.filter((message) => message.type === type);
    await vi.waitFor(() => {
      expect(control(RTMP_MESSAGE.userControl).map(({ payload }) => payload.toString('hex'))).toEqual(['000701020304']);
      expect(control(RTMP_MESSAGE.acknowledgement).length).toBeGreaterThan(0);
    });
  });

  const refused = { level: 'error', code: 'NetStream.Publish.BadName', description: 'in use' };
  const moved = {
    level: 'error',
    code: 'NetConnection.Connect.Rejected',
    ex: { code: 302, redirect: 'rtmp://10.0.0.1/a' },
  };
  it.each([
    ['refused', answered('publish', ['onStatus', null, refused])],
    ['refused', answered('connect', ['_error', null, { level: 'error', code: 'NetConnection.Connect.Rejected' }])],
    ['redirected', answered('connect', ['_error', null, moved])],
    ['redirected', answered('publish', ['onStatus', null, { code: 'NetConnection.Connect.ReconnectRequest' }])],
    ['protocol', answered('createStream', ['_result', null, 'one'])],
  ] satisfies [string, Script][])('ends as %s by what the server answers', async (code, script) => {
    await expect(open(script)).rejects.toMatchObject({ code });
  });

  it('says that the stream was ended by the server later', async () => {
    const { server: peer, ends } = await open(takesAll);
    peer.close();
    await vi.waitFor(() => expect(ends.map(({ code }) => code)).toEqual(['closed']));
  });

  it('gives up a server that takes the connection and says nothing', async () => {
    const clock = new FakeClock();
    const silent = open((name, args) => (name === 'publish' ? [] : takesAll(name, args)), { clock });
    const failure = silent.catch((error: unknown) => error);
    await vi.waitFor(() => expect(server?.commands.at(-1)?.[0]).toBe('publish'));
    clock.advance(5000);
    expect(await failure).toMatchObject({ code: 'timeout', message: 'no answer to publish' });
  });

  it('knows at the first byte that a server speaks something else', async () => {
    const web = createServer((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
    web.listen(0, '127.0.0.1');
    await once(web, 'listening');
    const socket = await connectTo((web.address() as AddressInfo).port);
    const ends: RtmpError[] = [];
    const connection = new RtmpConnection(socket, {
      clock: systemClock,
      randomBytes,
      answerWithinMs: 5000,
      onCommand: () => undefined,
      onClosed: (error) => ends.push(error),
    });
    await expect(connection.handshake()).rejects.toMatchObject({ code: 'protocol' });
    expect(ends).toHaveLength(1);
    web.close();
  });
});

describe('the handshake', () => {
  it('begins with version, time and zeros, and repeats what the server sent', () => {
    const hello = clientHello((size) => Buffer.alloc(size, 5));
    expect([hello.length, hello[0], hello.subarray(1, 9).every((byte) => byte === 0)]).toEqual([1537, 3, true]);
    const answer = Buffer.alloc(SERVER_HANDSHAKE_BYTES, 3);
    expect(clientAnswer(answer)).toEqual(answer.subarray(1, 1537));
    expect(() => clientAnswer(Buffer.from('HTTP'))).toThrow(RtmpError);
  });
});

describe('a publish address', () => {
  it('names application, stream and key', () => {
    expect(parsePublishAddress('rtmps://push.example/live/a/b?txSecret=1')).toEqual({
      host: 'push.example',
      port: 443,
      isSecure: true,
      app: 'live',
      tcUrl: 'rtmps://push.example/live',
      streamName: 'a/b?txSecret=1',
    });
    expect(parsePublishAddress('rtmp://[::1]:19350/live/x')).toMatchObject({ host: '[::1]', port: 19350 });
  });

  it.each([
    '',
    'http://a/b/c',
    'rtmp://a',
    'rtmp://a/live',
    'rtmp://a/live/',
    'rtmp:///live/x',
  ])('refuses %j', (address) => expect(() => parsePublishAddress(address)).toThrow(RtmpError));
});
