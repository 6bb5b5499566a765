// The peers of a run with changing names: a name server and its zone, one peer for each protocol, and traps beside them.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { HostileBroker } from '../peers/hostile-broker.ts';
import { HostileReceiver } from '../peers/hostile-receiver.ts';
import { NameServer, type ZoneAnswer } from '../peers/name-server.ts';
import { ImpostorCamera } from '../peers/impostor-camera.ts';
import { FORBIDDEN, LINK_LOCAL, type NamesReport, PRIVATE, PUBLIC, TRAPS } from './changing-names.ts';
import { SmtpSink } from './smtp-sink.ts';

const NAME_SERVER = '127.0.0.53';
const CHAIN = Array.from({ length: 8 }, (_, at) => `link-${at}.test`);
/** Loopback, link-local and private: names by the index of what they lead to. */
export const LEADS = [...FORBIDDEN, PRIVATE];

/** `turn-3.test` changes between what is open and LEADS[3], `mixed-3.test` is both, `only-3.test` the latter, `chain-3.test` turns behind aliases. */
function zone(name: string, asked: number): ZoneAnswer | 'silent' | null {
  const [kind = '', index = ''] = name.replace('.test', '').split('-');
  if (kind === 'silent') return 'silent';
  if (kind === 'steady') return { addresses: [PUBLIC] };
  const bad = LEADS[Number(index)];
  if (bad === undefined) return null;
  const turned = { addresses: [asked % 2 === 1 ? PUBLIC : bad] };
  if (kind === 'turn') return turned;
  if (kind === 'chain') return { ...turned, through: CHAIN };
  if (kind === 'mixed') return { addresses: [PUBLIC, bad] };
  return kind === 'only' ? { addresses: [bad] } : null;
}

export const namesOf = (kind: string, addresses: readonly string[]): string[] =>
  addresses.map((address) => `${kind}-${LEADS.indexOf(address as (typeof LEADS)[number])}.test`);

/** Listens beside a peer, at the same port of every address that nobody may be led to. */
class Traps {
  caught = 0;
  readonly #servers: Server[] = [];

  async listen(port: number, addresses: readonly string[]): Promise<this> {
    for (const address of addresses) {
      const server = createServer((socket) => {
        this.caught += 1;
        socket.destroy();
      });
      server.listen(port, address);
      await once(server, 'listening');
      this.#servers.push(server);
    }
    return this;
  }

  close(): void {
    for (const server of this.#servers) server.close();
  }
}

const ok = ({ socket }: { socket: { end: (text: string) => void } }): void =>
  socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}');

export async function startPeers() {
  for (const address of [PUBLIC, PRIVATE, LINK_LOCAL]) spawnSync('ip', ['addr', 'add', `${address}/32`, 'dev', 'lo']);
  const names = await NameServer.listen(NAME_SERVER, zone);
  const [web, own, onvif] = await Promise.all([1, 2, 3].map(() => HostileReceiver.listen(ok, PUBLIC)));
  if (!web || !own || !onvif) throw new Error('no peers');
  const broker = await HostileBroker.listen({}, undefined, PUBLIC);
  const mail = await SmtpSink.start({ host: PUBLIC });
  const rtsp = await ImpostorCamera.listen(PUBLIC);
  // A camera may stand in a private network, and so may what an operator names.
  const notPrivate = TRAPS.filter((address) => address !== PRIVATE);
  const traps = {
    webhook: await new Traps().listen(web.port, TRAPS),
    mqtt: await new Traps().listen(broker.port, TRAPS),
    smtp: await new Traps().listen(mail.port, notPrivate),
    own: await new Traps().listen(own.port, TRAPS),
    rtsp: await new Traps().listen(rtsp.port, notPrivate),
    onvif: await new Traps().listen(onvif.port, notPrivate),
  };
  return { names, web, own, onvif, broker, mail, rtsp, traps };
}

export type Peers = Awaited<ReturnType<typeof startPeers>>;

export function reached({
  traps,
  web,
  own,
  onvif,
  broker,
  mail,
  rtsp,
  names,
}: Peers): Pick<NamesReport, 'dialled' | 'lookups'> {
  const counts = {
    webhook: web.sockets.length,
    own: own.sockets.length,
    onvif: onvif.sockets.length,
    mqtt: broker.lines.length,
    smtp: mail.mails.length,
    rtsp: rtsp.requests.length,
  };
  const protocols = Object.keys(counts) as (keyof typeof counts)[];
  const dialled = protocols.map((name) => [name, { peer: counts[name], traps: traps[name].caught }] as const);
  return { dialled: Object.fromEntries(dialled), lookups: Object.fromEntries(names.lookups) };
}
