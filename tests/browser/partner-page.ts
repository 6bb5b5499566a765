// A page of somebody else that frames the console and speaks the bridge with it, knowing nothing but docs/embedding.md.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PartnerPage {
  readonly origin: string;
  close(): void;
}

/** `frame`: what a page at `/?<path>` frames, given the path. */
export async function openPartnerPage(frame: (path: string) => string): Promise<PartnerPage> {
  const server = createServer((request, reply) => {
    const path = decodeURIComponent(request.url?.split('?')[1] ?? '');
    reply.setHeader('content-type', 'text/html').end(pageWith(frame(path)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

const pageWith = (address: string): string => `<!doctype html><html lang="en"><title>Portal</title>
<h1>Portal</h1><iframe title="Cameras" src="${address}" width="1200" height="700" allow="fullscreen"></iframe>
<script>
const frame = document.querySelector('iframe');
const told = [];
let port;
const answers = new Map();
function take({ data }) {
  const message = JSON.parse(data);
  if (message.url === undefined) return answers.get(message.id)?.(message);
  told.push(message);
  const topics = ['account/status', 'window/current', 'language/current'];
  const reply = { id: message.id, code: 200, message: 'succeed', nonce: message.nonce };
  port.postMessage(JSON.stringify({ ...reply, data: message.url.endsWith('/system/info') ? { bridge: 1, topics } : {} }));
}
function ask(topic, data) {
  const id = crypto.randomUUID();
  port.postMessage(JSON.stringify({ id, url: '/api/v1.0/web/' + topic, data }));
  return new Promise((resolve) => answers.set(id, resolve));
}
frame.addEventListener('load', () => {
  const channel = new MessageChannel();
  port = channel.port1;
  port.onmessage = take;
  frame.contentWindow.postMessage('vedette:bridge', new URL(frame.src).origin, [channel.port2]);
});
</script>`;
