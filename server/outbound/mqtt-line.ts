// Opens a line to an MQTT broker over a connection that was dialled under the network policy; the library never resolves a name itself.
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { MQTT_SCHEMES } from '@vedette/contract/alarm-channels.ts';
import { MqttClient } from 'mqtt';
import { newId } from '../randomness.ts';

export interface MqttPlace {
  readonly url: string;
  /** Both empty: none. */
  readonly user: string;
  readonly password: string;
}

const WITHIN_MS = 10_000;

/** Null for what is no address of a broker. */
export function brokerOf(
  address: string,
): { readonly host: string; readonly port: number; readonly isTls: boolean } | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || url.hostname === '' || !MQTT_SCHEMES.includes(url.protocol)) return null;
  const isTls = url.protocol === 'mqtts:';
  return { host: url.hostname, port: Number(url.port) || (isTls ? 8883 : 1883), isTls };
}

/** Rejects with what the dialling, the broker or the library said; nothing of it is left open then. */
export async function openMqtt(
  { url, user, password }: MqttPlace,
  dial: (host: string, port: number) => Promise<Socket>,
): Promise<MqttClient> {
  const broker = brokerOf(url);
  if (broker === null) throw new Error('not an mqtt address');
  const socket = await dial(broker.host, broker.port);
  const line = broker.isTls ? connectTls({ socket, servername: broker.host }) : socket;
  const client = new MqttClient(() => line, {
    reconnectPeriod: 0,
    connectTimeout: WITHIN_MS,
    clean: true,
    clientId: `vedette-${newId().slice(0, 14)}`,
    ...(user === '' ? {} : { username: user }),
    ...(password === '' ? {} : { password }),
  });
  try {
    await connected(client);
    return client;
  } catch (error) {
    client.end(true);
    line.destroy();
    throw error;
  }
}

function connected(client: MqttClient): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = setTimeout(() => reject(new Error('no answer in time')), WITHIN_MS);
    const settle = (end: () => void): void => {
      clearTimeout(giveUp);
      end();
    };
    client.once('connect', () => settle(resolve));
    client.once('close', () => settle(() => reject(new Error('the broker closed the line'))));
    client.on('error', (error) => settle(() => reject(error)));
  });
}
