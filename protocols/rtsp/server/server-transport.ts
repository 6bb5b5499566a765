// Decides over which way one track goes out to a client: the first of the offered transports that the server has (RFC 2326 12.39).
import { parseTransport } from '../header-fields.ts';
import type { DatagramsHeard, ServerDatagrams } from './server-datagrams.ts';
import type { TrackDelivery } from './server-session.ts';

export interface TransportRequest {
  /** The Transport header. */
  readonly offers: string;
  readonly track: number;
  /** Null: media over the connection only. */
  readonly datagrams: ServerDatagrams | null;
  /** Ends of the client's connection. Packets go to the address that asks and nowhere else, whatever `destination` it names. */
  readonly local: string | undefined;
  readonly remote: string;
  readonly heard: DatagramsHeard;
}

export interface GrantedTransport {
  readonly delivery: TrackDelivery;
  /** The Transport header of the answer. */
  readonly transport: string;
}

/** Null when nothing of it can be granted. Rejects when no UDP port is free. */
export async function grantTransport(request: TransportRequest): Promise<GrantedTransport | null> {
  const { offers, track, datagrams, local, remote, heard } = request;
  for (const offer of offers.split(',')) {
    const wanted = parseTransport(offer);
    if (/multicast/i.test(offer) || !/^\s*RTP\/AVP/i.test(offer)) continue;
    if (wanted.isInterleaved) {
      const channel = wanted.channel === null || wanted.channel > 254 ? track * 2 : wanted.channel;
      return {
        delivery: { kind: 'tcp', channel },
        transport: `RTP/AVP/TCP;unicast;interleaved=${channel}-${channel + 1}`,
      };
    }
    const { clientPort } = wanted;
    if (clientPort === null || datagrams === null || local === undefined) continue;
    const route = await datagrams.open(local, { address: remote, port: clientPort }, heard);
    const ports = `client_port=${clientPort}-${clientPort + 1};server_port=${route.serverPort}-${route.serverPort + 1}`;
    return { delivery: { kind: 'udp', route }, transport: `RTP/AVP;unicast;${ports}` };
  }
  return null;
}
