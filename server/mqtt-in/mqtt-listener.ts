// Receives Frigate events from an MQTT broker while it holds the lease, and stores them like events of the camera; reconnects with backoff.
import { Backoff } from '@vedette/foundation/backoff/backoff.ts';
import { VIRTUAL_ALARM_TOPIC } from '@vedette/contract/alarm-topics.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { DeviceEventReport } from '@vedette/contract/site/site.ts';
import type { MqttClient } from 'mqtt';
import type { Logger } from 'pino';
import { authorizeDevice } from '../auth/authorize.ts';
import { loadAccountRights } from '../auth/rights.ts';
import { CallError } from '../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from '../database/connection.ts';
import type { DeviceFacts } from '../database/device/device.queries.ts';
import { type MqttDial, mqttFault, openMqttConnection } from '../outbound/mqtt-connection.ts';
import type { MqttReceiveLimits } from '../outbound/mqtt-packet-guard.ts';
import { beforeAbort } from '../outbound/outbound-fault.ts';
import { TokenBucket } from '../outbound/token-bucket.ts';
import type { Held } from '../work-lease/held-lease.ts';
import { type FrigateEvent, readFrigateEvent } from './frigate-event.ts';
import type { MqttInSettings, StoredMqttIn } from './mqtt-in-settings.ts';

export interface MqttListenerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: MqttInSettings;
  readonly dial: MqttDial;
  readonly writeEvent: (device: DeviceFacts, report: DeviceEventReport) => Promise<unknown>;
}

/** From the look-up to the subscription. */
const WITHIN_MS = 10_000;
const AGAIN = { firstMs: 1000, maxMs: 60_000, jitter: 0 } as const;
/** A connection that lasts this long resets the backoff. */
const STABLE_MS = 60_000;
/** Another server may have been told other settings. */
const LOOK_AT_SETTINGS_EVERY_MS = 5000;
/** A busy Frigate sends a few hundred updates a second, of a few kilobytes. */
const LIMITS: MqttReceiveLimits = { messageBytes: 256 * 1024, packetsPerS: 1000, bytesPerS: 2 << 20 };
/** Each one is a database commit. */
const EVENT_RATE = { perS: 20, burstS: 10 } as const;
const TELL_DROPPED_EVERY_MS = 60_000;

export class MqttListener {
  readonly #options: MqttListenerOptions;
  readonly #rate: TokenBucket;
  #client: MqttClient | null = null;
  #isSubscribed = false;
  #cancel: (() => void) | null = null;
  readonly #backoff = new Backoff(AGAIN, () => 0);
  /** Null: another server listens. */
  #held: Held | null = null;
  #cancelLook: () => void = () => undefined;
  /** Of the settings that it runs with. */
  #version: number | null = null;
  /** Changes with the settings: connections of older ones are closed. */
  #run = 0;
  #toldDroppedAt = Number.NEGATIVE_INFINITY;
  lastTime: number | null = null;
  problem = '';
  /** Messages that were invalid, too frequent, not allowed, or failed to store. */
  droppedCount = 0;

  constructor(options: MqttListenerOptions) {
    this.#options = options;
    this.#rate = new TokenBucket(EVENT_RATE, options.clock.monotonicMs());
  }

  /** Only then does the broker send events: what it is told before its answer to the subscription goes elsewhere. */
  get isConnected(): boolean {
    return this.#isSubscribed && (this.#client?.connected ?? false);
  }

  start(held: Held): void {
    this.#held = held;
    this.restart();
    this.#lookLater();
  }

  /** After the settings have changed. Nothing where another server listens: it notices by itself. */
  restart(): void {
    if (this.#held === null) return;
    this.#run += 1;
    this.#drop();
    this.#backoff.reset();
    this.problem = '';
    this.#open(this.#run);
  }

  stop(): void {
    this.#held = null;
    this.#run += 1;
    this.#cancelLook();
    this.#drop();
    this.problem = '';
  }

  #lookLater(): void {
    const { clock, settings, log } = this.#options;
    this.#cancelLook = clock.after(LOOK_AT_SETTINGS_EVERY_MS, () => {
      settings
        .read()
        .then(({ version }) => {
          if (this.#version !== null && this.#version !== version) this.restart();
        })
        .catch((error: unknown) => log.warn({ err: error }, 'the settings of incoming events could not be read'))
        .finally(() => {
          if (this.#held !== null) this.#lookLater();
        });
    });
  }

  #drop(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#client?.end(true);
    this.#client = null;
    this.#isSubscribed = false;
  }

  #open(run: number): void {
    let isOver = false;
    const onOver = (error: unknown): void => {
      if (!isOver) this.#later(run, error);
      isOver = true;
    };
    this.#listen(run, onOver).catch(onOver);
  }

  async #listen(run: number, onOver: (error: unknown) => void): Promise<void> {
    const { settings, dial, clock } = this.#options;
    const stored = await settings.read();
    if (run !== this.#run) return;
    this.#version = stored.version;
    if (stored.url === '') return;
    const signal = AbortSignal.timeout(WITHIN_MS);
    const client = await openMqttConnection(stored, { dial, limits: LIMITS, signal });
    if (run !== this.#run) return void client.end(true);
    this.#client = client;
    client.on('error', onOver);
    client.on('close', () => onOver(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    const topic = `${stored.topic}/events`;
    // One by one: while one is stored, nothing more is read.
    client.handleMessage = (packet, done) => {
      const isAsked = String(packet.topic) === topic;
      this.#writeEvents(stored, isAsked ? packet.payload.toString() : '').then(() => done(), done);
    };
    await beforeAbort(signal, client.subscribeAsync(topic, { qos: 1 }));
    if (this.#client !== client) return;
    this.#isSubscribed = true;
    this.problem = '';
    this.#cancel = clock.after(STABLE_MS, () => this.#backoff.reset());
  }

  #later(run: number, error: unknown): void {
    if (run !== this.#run) return;
    this.#drop();
    this.problem = mqttFault(error).message;
    this.#options.log.warn({ problem: this.problem }, 'the broker of other events is away');
    this.#cancel = this.#options.clock.after(this.#backoff.next(), () => this.#open(run));
  }

  /** Never throws: what cannot be stored is dropped, or the broker would repeat it for ever. */
  async #writeEvents(stored: StoredMqttIn, payload: string): Promise<void> {
    const event = readFrigateEvent(payload);
    if (event === 'none') return;
    const place = event && stored.cameraList.find(({ camera }) => camera === event.camera);
    if (event !== null && place === undefined) return;
    if (!event || !place || !this.#rate.spend(1, this.#options.clock.monotonicMs())) return this.#noteDropped(null);
    try {
      await this.#store(stored, event, place);
    } catch (error) {
      this.#noteDropped(error);
    }
  }

  async #store(stored: StoredMqttIn, event: FrigateEvent, place: StoredMqttIn['cameraList'][number]): Promise<void> {
    const { database, clock, writeEvent } = this.#options;
    const { deviceSerial, channelNo } = place;
    // The account may have given the camera away since.
    const rights = await loadAccountRights(database, clock, stored.accountId);
    const device = await authorizeDevice(database, rights, 'Config', { deviceSerial, channelNo });
    this.#held?.assertHeld();
    this.lastTime = clock.wallMs();
    await writeEvent(device, {
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

  /** Logged once a minute at most, since a broker can send any number. */
  #noteDropped(error: unknown): void {
    this.droppedCount += 1;
    const { clock, log } = this.#options;
    if (clock.monotonicMs() - this.#toldDroppedAt < TELL_DROPPED_EVERY_MS) return;
    this.#toldDroppedAt = clock.monotonicMs();
    const isForeign = error instanceof CallError && error.code === ERROR_CODES.devNotExist;
    const reason = isForeign ? { reason: 'a camera that may not be told of' } : { err: error ?? undefined };
    log.warn({ ...reason, droppedCount: this.droppedCount }, 'messages of the broker were dropped');
  }
}
