// A WHIP server around Chromium's own WebRTC: HTTP here, the answering side in a page.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';

export interface ReceivedMedia {
  readonly framesDecoded: number;
  readonly width: number;
  readonly videoCodec: string;
  readonly audioCodec: string;
  readonly audioPackets: number;
  readonly state: string;
}

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
}

/** In the page: `answer` per offer, `media` of the newest session, `end` of all. */
const PAGE = `
  window.whip = {
    peers: [],
    async answer(sdp) {
      const peer = new RTCPeerConnection();
      this.peers.push(peer);
      peer.ontrack = ({ track }) => {
        const video = document.createElement('video');
        video.muted = true;
        video.autoplay = true;
        video.srcObject = new MediaStream([track]);
        document.body.append(video);
      };
      await peer.setRemoteDescription({ type: 'offer', sdp });
      await peer.setLocalDescription(await peer.createAnswer());
      if (peer.iceGatheringState !== 'complete')
        await new Promise((done) => peer.addEventListener('icegatheringstatechange', () => peer.iceGatheringState === 'complete' && done()));
      return peer.localDescription.sdp;
    },
    async media() {
      const peer = this.peers.at(-1);
      if (!peer) return null;
      const found = [...(await peer.getStats()).values()];
      const inbound = (kind) => found.find((one) => one.type === 'inbound-rtp' && one.kind === kind) ?? {};
      const codec = (one) => found.find((other) => other.id === one.codecId)?.mimeType ?? '';
      const [video, audio] = [inbound('video'), inbound('audio')];
      return {
        framesDecoded: video.framesDecoded ?? 0, width: video.frameWidth ?? 0, videoCodec: codec(video),
        audioCodec: codec(audio), audioPackets: audio.packetsReceived ?? 0, state: peer.connectionState,
      };
    },
    end() { for (const peer of this.peers) peer.close(); },
  };
`;

export class WhipReceiver {
  readonly #server: Server;
  readonly #page: Page;
  readonly #token: string;
  readonly asked: Asked[] = [];
  /** Answers before the page is asked; true: it did. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  /** Changes what the page answered. */
  rewrite: (sdp: string) => string = (sdp) => sdp;

  private constructor(server: Server, page: Page, token: string) {
    this.#server = server;
    this.#page = page;
    this.#token = token;
    server.on('request', (request, response) => void this.#handle(request, response));
  }

  static async start(page: Page, token: string): Promise<WhipReceiver> {
    await page.evaluate(PAGE);
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new WhipReceiver(server, page, token);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get deletions(): readonly string[] {
    return this.asked.filter(({ method }) => method === 'DELETE').map(({ url }) => url);
  }

  async media(): Promise<ReceivedMedia | null> {
    return await this.#page.evaluate('window.whip.media()');
  }

  /** All sessions of the page, as a server that is gone. */
  async end(): Promise<void> {
    await this.#page.evaluate('window.whip.end()');
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    this.asked.push({ method, url, authorization: headers.authorization });
    if (this.intercept(request, response)) return;
    if (headers.authorization !== `Bearer ${this.#token}`) return void response.writeHead(401).end();
    if (method === 'DELETE') return void response.writeHead(200).end();
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
    const offer = Buffer.concat(pieces).toString('utf8');
    try {
      const answer = await this.#page.evaluate(`window.whip.answer(${JSON.stringify(offer)})`);
      response.writeHead(201, { 'content-type': 'application/sdp', location: `${url}/session` });
      response.end(this.rewrite(String(answer)));
    } catch (error) {
      response.writeHead(422, { 'content-type': 'text/plain' }).end(String(error));
    }
  }
}
