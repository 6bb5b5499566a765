// Receivers of messages: an HTTP server that keeps requests, and an MQTT broker.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { Aedes } from 'aedes';

export interface CapturedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface SinkAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export class HttpSink {
  readonly requests: CapturedRequest[] = [];
  /** What is answered next, then `usual` again. */
  readonly answers: SinkAnswer[] = [];
  usual: SinkAnswer = { status: 200, body: '{"code":0,"errcode":0,"ok":true}' };
  readonly #server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const url = new URL(request.url ?? '/', 'http://sink');
    const { method = '', headers } = request;
    this.requests.push({ method, path: url.pathname, query: url.searchParams, headers, body: Buffer.concat(chunks) });
    const answer = this.answers.shift() ?? this.usual;
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  url = '';

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  last(): CapturedRequest {
    const last = this.requests.at(-1);
    if (last === undefined) throw new Error('the sink was asked nothing');
    return last;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export interface Published {
  readonly topic: string;
  readonly payload: string;
  readonly retain: boolean;
}

/** Takes `user` with `pass` alone; `refused`: of so many connections to come nobody. */
export async function startBroker() {
  const published: Published[] = [];
  const state = { published, refused: 0 };
  const broker = await Aedes.createBroker({
    authenticate: (_client, user, password, done) => {
      const isRefused = state.refused > 0;
      if (isRefused) state.refused -= 1;
      done(null, !isRefused && user === 'user' && String(password) === 'pass');
    },
  });
  broker.on('publish', (packet, client) => {
    if (client === null) return;
    published.push({ topic: packet.topic, payload: packet.payload.toString(), retain: packet.retain });
  });
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    broker.handle(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tell = (topic: string, payload: object): Promise<void> =>
    new Promise((resolve, reject) => {
      const packet = {
        cmd: 'publish',
        topic,
        payload: JSON.stringify(payload),
        qos: 1,
        retain: false,
        dup: false,
      } as const;
      broker.publish(packet, (error) => (error ? reject(error) : resolve()));
    });
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await new Promise<void>((resolve) => broker.close(resolve));
  };
  return Object.assign(state, { url, tell, stop });
}
