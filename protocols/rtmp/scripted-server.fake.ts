// An RTMP server that follows a script, for tests: it says what a test wants it to say, and keeps what it was told.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type AmfValue, readAmf, writeAmf } from '../amf/amf0.ts';
import { ChunkReader, type ReadMessage } from './chunk-reader.ts';
import { writeChunks } from './chunk-writer.ts';
import { RTMP_MESSAGE } from './message-types.ts';

const HELLO_BYTES = 1537;
const ANSWER_BYTES = 1536;

/** Answers to a command, each a name and its arguments behind the transaction; none: silence. */
export type Script = (name: string, args: readonly AmfValue[]) => readonly (readonly [string, ...AmfValue[]])[];

/** As servers do that take every stream. */
export const takesAll: Script = (name) => {
  if (name === 'connect') return [['_result', {}, { level: 'status', code: 'NetConnection.Connect.Success' }]];
  if (name === 'createStream') return [['_result', null, 1]];
  if (name === 'publish') return [['onStatus', null, { level: 'status', code: 'NetStream.Publish.Start' }]];
  return [];
};

export interface ScriptedServer {
  readonly port: number;
  readonly messages: readonly ReadMessage[];
  /** Commands in order, without their transactions. */
  readonly commands: readonly (readonly [AmfValue, ...AmfValue[]])[];
  /** To the client that came last. */
  send(type: number, payload: Uint8Array): void;
  /** Reads nothing more from the client that came last. */
  pause(): void;
  /** Ends all connections and takes new ones. */
  drop(): void;
  close(): void;
}

export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const messages: ReadMessage[] = [];
  const commands: (readonly [AmfValue, ...AmfValue[]])[] = [];
  const sockets = new Set<Socket>();
  let newest: Socket | null = null;
  const send = (socket: Socket, type: number, payload: Uint8Array): void => {
    socket.write(writeChunks({ chunkStream: 3, type, stream: 0, timestampMs: 0, payload: [payload] }, 128));
  };
  const answer = (socket: Socket, payload: Buffer): void => {
    const [name = null, transaction = null, ...args] = readAmf(payload);
    commands.push([name, ...args]);
    for (const [word, ...values] of script(String(name), args))
      send(socket, RTMP_MESSAGE.command, writeAmf([word, transaction, ...values]));
  };
  const server = createServer((socket) => {
    newest = socket;
    sockets.add(socket);
    socket.on('error', () => undefined);
    const reader = new ChunkReader(1_000_000);
    let greeting: Buffer | null = Buffer.alloc(0);
    let isAnswered = false;
    socket.on('data', (bytes: Buffer) => {
      let rest = bytes;
      if (greeting !== null) {
        greeting = Buffer.concat([greeting, bytes]);
        if (greeting.length < HELLO_BYTES) return;
        if (!isAnswered)
          socket.write(Buffer.concat([Buffer.of(3), Buffer.alloc(ANSWER_BYTES, 9), greeting.subarray(1, HELLO_BYTES)]));
        isAnswered = true;
        if (greeting.length < HELLO_BYTES + ANSWER_BYTES) return;
        rest = greeting.subarray(HELLO_BYTES + ANSWER_BYTES);
        greeting = null;
      }
      for (const message of rest.length > 0 ? reader.push(rest) : []) {
        messages.push(message);
        if (message.type === RTMP_MESSAGE.command) answer(socket, message.payload);
      }
    });
  });
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    messages,
    commands,
    send: (type, payload) => {
      if (newest) send(newest, type, payload);
    },
    pause: () => void newest?.pause(),
    drop,
    close: () => {
      server.close();
      drop();
    },
  };
}

export async function connectTo(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  return socket;
}
