// Listens to a broker for what Frigate tells and stores it as if the camera had told it; a line that breaks is opened again.
import type { DeviceEventReport } from '@vedette/contract/site.ts';
import { VIRTUAL_ALARM_TOPIC } from '@vedette/contract/alarm-topics.ts';
import type { MqttClient } from 'mqtt';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Clock } from '../clock/clock.ts';
import type { Database } from '../database/connection.ts';
import { type DeviceFacts, findDevicesFacts } from '../database/device.queries.ts';
import { openMqtt } from '../outbound/mqtt-line.ts';
import { readFrigateEvent } from './frigate-event.ts';
import type { MqttInSettings, StoredMqttIn } from './mqtt-in-settings.ts';

export interface MqttListenerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: MqttInSettings;
  readonly dial: (host: string, port: number) => Promise<Socket>;
  readonly takeEvent: (device: DeviceFacts, report: DeviceEventReport) => Promise<string | null>;
}

const AGAIN_MS = { least: 1000, most: 60_000 } as const;

export class MqttListener {
  readonly #options: MqttListenerOptions;
  #client: MqttClient | null = null;
  #cancel: (() => void) | null = null;
  #waitMs: number = AGAIN_MS.least;
  #isClosed = false;
  /** Changes with each new set of settings: what an older one opened is closed. */
  #run = 0;
  lastTime: number | null = null;
  problem = '';

  constructor(options: MqttListenerOptions) {
    this.#options = options;
  }

  get isConnected(): boolean {
    return this.#client?.connected ?? false;
  }

  /** Also after the settings have changed. */
  start(): void {
    this.#run += 1;
    this.#drop();
    this.#waitMs = AGAIN_MS.least;
    this.problem = '';
    this.#open(this.#run);
  }

  close(): void {
    this.#isClosed = true;
    this.#drop();
  }

  #drop(): void {
    this.#cancel?.();
    this.#client?.end(true);
    this.#client = null;
  }

  #open(run: number): void {
    this.#listen(run).catch((error: unknown) => this.#later(run, error));
  }

  async #listen(run: number): Promise<void> {
    const { settings, dial, log } = this.#options;
    const stored = await settings.read();
    if (stored.url === '' || run !== this.#run || this.#isClosed) return;
    const client = await openMqtt(stored, dial);
    if (run !== this.#run || this.#isClosed) return void client.end(true);
    this.#client = client;
    this.#waitMs = AGAIN_MS.least;
    this.problem = '';
    client.on('close', () => this.#later(run, new Error('the broker closed the line')));
    client.on('message', (_topic, payload) => {
      this.#take(stored, payload.toString('utf8')).catch((error: unknown) =>
        log.warn({ err: error }, 'an event from the broker was not stored'),
      );
    });
    await client.subscribeAsync(`${stored.topic}/events`, { qos: 1 });
  }

  #later(run: number, error: unknown): void {
    if (run !== this.#run || this.#isClosed) return;
    this.#drop();
    this.problem = error instanceof Error ? error.message.slice(0, 200) : 'unknown';
    this.#options.log.warn({ problem: this.problem }, 'the broker of other events is away');
    this.#cancel = this.#options.clock.after(this.#waitMs, () => this.#open(run));
    this.#waitMs = Math.min(AGAIN_MS.most, this.#waitMs * 2);
  }

  async #take(stored: StoredMqttIn, payload: string): Promise<void> {
    const event = readFrigateEvent(payload);
    const place = stored.cameraList.find(({ camera }) => camera === event?.camera);
    if (event === null || place === undefined) return;
    const { deviceSerial, channelNo } = place;
    const device = (await findDevicesFacts(this.#options.database, [deviceSerial])).get(deviceSerial);
    if (device === undefined) return;
    this.lastTime = this.#options.clock.now();
    await this.#options.takeEvent(device, {
      kind: 'deviceEvent',
      deviceSerial,
      eventId: `mqtt ${event.phase} ${event.id}`,
      topic: `${VIRTUAL_ALARM_TOPIC}/${event.type}`,
      phase: event.phase,
      channelNo,
      key: `mqtt ${event.id}`,
      at: event.at,
      deviceAt: null,
      source: { app: 'Frigate', camera: event.camera },
      data: event.data,
    });
  }
}
