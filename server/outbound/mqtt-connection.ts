// Opens a connection to an MQTT broker over a socket that was dialled under the network policy; the library never resolves a name itself.
import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { MQTT_SCHEMES } from '@vedette/contract/alarm-channels.ts';
import type { MqttClient } from 'mqtt';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { MqttBreach, MqttPacketGuard, type MqttReceiveLimits } from './mqtt-packet-guard.ts';
import { beforeAbort, OutboundError, outboundFault } from './outbound-fault.ts';

export interface MqttBroker {
  readonly url: string;
  /** Both empty: none. */
  readonly user: string;
  readonly password: string;
}

export interface MqttOptions {
  readonly dial: MqttDial;
  readonly limits: MqttReceiveLimits;
  /** Aborts when it has taken too long to connect. */
  readonly signal: AbortSignal;
}

export type MqttDial = (host: string, port: number, signal: AbortSignal) => Promise<Socket>;

/** Null for what is no address of a broker. */
export function brokerOf(
  address: string,
): { readonly host: string; readonly port: number; readonly isTls: boolean } | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || url.hostname === '' || !MQTT_SCHEMES.includes(url.protocol)) return null;
  const isTls = url.protocol === 'mqtts:';
  return { host: url.hostname, port: Number(url.port) || (isTls ? 8883 : 1883), isTls };
}

/** Rejects with what `mqttFault` reads; nothing of it is left open then. Once it is open, who has it ends it at its first error. */
export async function openMqttConnection(
  place: MqttBroker,
  { dial, limits, signal }: MqttOptions,
): Promise<MqttClient> {
  const { url, user, password } = place;
  const broker = brokerOf(url);
  if (broker === null) throw new Error('not an mqtt address');
  const library = await import('mqtt');
  const socket = await dial(broker.host, broker.port, signal);
  const name = isIP(broker.host) === 0 ? { servername: broker.host } : {};
  const line = broker.isTls ? connectTls({ socket, host: broker.host, minVersion: 'TLSv1.2', ...name }) : socket;
  const client = new library.MqttClient(() => guarded(line, limits), {
    reconnectPeriod: 0,
    // The signal counts.
    connectTimeout: 60_000,
    clean: true,
    clientId: `vedette-${newId().slice(0, 14)}`,
    ...(user === '' ? {} : { username: user }),
    ...(password === '' ? {} : { password }),
  });
  try {
    await beforeAbort(signal, connected(client));
    return client;
  } catch (error) {
    client.end(true);
    line.destroy();
    throw error;
  }
}

/** Ends with an MqttBreach before the library keeps what breaks the limits. */
function guarded(line: Socket, limits: MqttReceiveLimits): Socket {
  const guard = new MqttPacketGuard(limits, systemClock.monotonicMs());
  // Ahead of the library, which reads the same way.
  line.on('data', (chunk: Buffer) => {
    try {
      guard.take(chunk, systemClock.monotonicMs());
    } catch (error) {
      if (!(error instanceof MqttBreach)) throw error;
      line.destroy(error);
    }
  });
  return line;
}

function connected(client: MqttClient): Promise<void> {
  return new Promise((resolve, reject) => {
    client.once('connect', () => resolve());
    client.once('close', () => reject(new OutboundError('unreachable', 'the connection was closed')));
    // Stays: errors without a listener would end the process.
    client.on('error', reject);
  });
}

/** What is told of a broker that failed: a kind, and the code that MQTT has for it. */
export function mqttFault(error: unknown): OutboundError {
  if (error instanceof MqttBreach) return new OutboundError('unreachable', error.message, { cause: error });
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (typeof code === 'number') return new OutboundError('unreachable', `refused with code ${code}`, { cause: error });
  if (code === undefined && error instanceof Error && !(error instanceof OutboundError)) {
    return new OutboundError('unreachable', 'not MQTT', { cause: error });
  }
  return outboundFault(error);
}
