// The RTSP driver: any RTSP URL is a device with one channel; it knows nothing but streams.
import { DEVICE_TYPE } from '@vedette/contract/enumerations.ts';
import { parseRtspUrl } from '@vedette/protocols/rtsp/request-url.ts';
import { BACK_CHANNEL_REQUIRED, backChannelOf } from '@vedette/protocols/rtsp/back-channel.ts';
import { describeRtsp, type RtspDescription } from '@vedette/protocols/rtsp/describe.ts';
import { RtspError } from '@vedette/protocols/rtsp/rtsp-error.ts';
import { DeviceFault } from '../kit/device-fault.ts';
import { deriveDeviceSerial } from '../kit/device-serial.ts';
import type {
  Candidate,
  ChannelDriver,
  DeviceCredentials,
  DeviceDescription,
  DeviceEndpoint,
  Driver,
  DriverModule,
  MediaSource,
  OpenRequest,
  ProbeRequest,
  ProbeWarning,
  StreamInfo,
  StreamQuality,
} from '../kit/driver.ts';
import type { DriverContext } from '../kit/driver-context.ts';
import { rtspDial } from '../kit/outbound/rtsp-dial.ts';
import { raceSignal } from '@vedette/foundation/concurrency/race-signal.ts';
import { type DescribedStream, describedStream, playableAudio } from './described-stream.ts';
import { rtspPathTemplates, smallerPaths } from './path-templates.ts';
import { rtspFault } from './rtsp-fault.ts';
import { type RtspNative, readRtspNative } from './rtsp-native.ts';

const describeTimeoutMs = 5_000;
/** Servers that are just taking down the stream of the last viewer answer so for a moment. */
const serviceUnavailable = 503;
const busyAttempts = 4;
const busyPauseMs = 400;
const qualities: readonly StreamQuality[] = [0, 1, 2];

interface Asked {
  readonly stream: DescribedStream;
  readonly server: string;
}

export const rtspDriver: DriverModule = {
  id: 'rtsp',
  probe: probeRtsp,
  open: (request) => new RtspDriver(request),
};

async function probeRtsp({ url, credentials, context, signal }: ProbeRequest): Promise<Candidate> {
  // How media are to come (`#transport=…`) holds for every path.
  const [, origin = url, path = '', way = ''] = /^([a-z]+:\/\/[^/?#]*)([^#]*)(#.*)?$/isu.exec(url) ?? [];
  const driverOf = (...urls: [string, ...string[]]) => {
    const native = { urls: urls.map((one) => `${one}${way}`) };
    return new RtspDriver({ native, credentials, context });
  };
  const isOpen = ['', '/'].includes(path);
  const paths = isOpen ? [path, ...rtspPathTemplates.map((row) => row.paths[0])] : [path];
  for (const [index, main] of paths.entries()) {
    const driver = driverOf(`${origin}${main}`);
    try {
      await driver.describe(signal);
    } catch (error) {
      // Only "there is nothing here" leads on; a refused password must not be tried on a dozen paths.
      if (index < paths.length - 1 && isNothingHere(error)) continue;
      throw isOpen ? asNoKnownPath(error) : error;
    } finally {
      await driver.close();
    }
    const smaller = await existing(
      smallerPaths(main).map((part) => `${origin}${part}`),
      driverOf,
      signal,
    );
    return await driverOf(`${origin}${main}`, ...smaller).candidate(signal);
  }
  throw new DeviceFault('not-found', 'no known path has a stream');
}

/** Of the last path that was tried; other errors pass through. */
function asNoKnownPath(error: unknown): unknown {
  if (!isNothingHere(error)) return error;
  return new DeviceFault('not-found', 'no known path has a stream', { cause: error });
}

function isNothingHere(error: unknown): boolean {
  return (
    error instanceof DeviceFault && (error.kind === 'not-found' || error.kind === 'device' || error.kind === 'no-video')
  );
}

async function existing(
  urls: readonly string[],
  driverOf: (url: string) => RtspDriver,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const found: string[] = [];
  for (const url of urls) {
    const driver = driverOf(url);
    try {
      await driver.describe(signal);
      found.push(url);
    } catch (error) {
      if (!(error instanceof DeviceFault)) throw error;
      break;
    } finally {
      await driver.close();
    }
  }
  return found;
}

class RtspDriver implements Driver {
  readonly id = 'rtsp';
  readonly #native: RtspNative;
  readonly #credentials: DeviceCredentials | null;
  readonly #context: DriverContext;
  readonly #closing = new AbortController();
  readonly #signal: AbortSignal;
  #described: Promise<DeviceDescription> | null = null;
  /** As described last, in one text. */
  #mainStream: string | null = null;

  constructor({ native, credentials, context }: OpenRequest) {
    this.#native = readRtspNative(native);
    this.#credentials = credentials;
    this.#context = context;
    this.#signal = AbortSignal.any([context.signal, this.#closing.signal]);
  }

  get endpoint(): DeviceEndpoint {
    const { host = '', port = 0 } = parseRtspUrl(this.#native.urls[0]) ?? {};
    return { host, port };
  }

  async describe(signal?: AbortSignal): Promise<DeviceDescription> {
    this.#described ??= this.#readAll().catch((error: unknown) => {
      this.#described = null;
      throw error;
    });
    return await raceSignal(this.#described, signal);
  }

  refresh(): void {
    this.#described = null;
  }

  async channel(channelNo: number): Promise<ChannelDriver> {
    if (channelNo !== 1) throw new DeviceFault('unknown-channel', 'an RTSP URL is one channel');
    return {
      channelNo,
      source: (quality) => Promise.resolve(this.#source(quality)),
      talk: () => Promise.resolve({ ...this.#source(0), kind: 'rtsp-backchannel' }),
    };
  }

  async check(signal?: AbortSignal): Promise<void> {
    const { stream } = await raceSignal(this.#ask(this.#native.urls[0]), signal);
    // Someone gave the camera another codec or size.
    if (this.#mainStream !== null && this.#mainStream !== JSON.stringify(stream)) this.refresh();
  }

  async close(): Promise<void> {
    this.#closing.abort(new DOMException('the driver was closed', 'AbortError'));
  }

  async candidate(signal?: AbortSignal): Promise<Candidate> {
    try {
      return { ...(await this.describe(signal)), driver: 'rtsp', native: this.#native };
    } finally {
      await this.close();
    }
  }

  #source(quality: StreamQuality): MediaSource {
    const { urls } = this.#native;
    const url = urls[Math.min(quality, urls.length - 1)] ?? urls[0];
    return { kind: 'rtsp-pull', url, credentials: this.#credentials };
  }

  async #readAll(): Promise<DeviceDescription> {
    const asked: Asked[] = [];
    for (const url of this.#native.urls) asked.push(await this.#ask(url));
    this.#mainStream = JSON.stringify(asked[0]?.stream);
    const server = asked[0]?.server ?? '';
    const streams = asked.flatMap(({ stream }, index) => {
      const quality = qualities[index];
      return quality === undefined ? [] : [streamInfo(quality, stream)];
    });
    const main = this.#native.urls[0];
    return {
      serial: deriveDeviceSerial({
        manufacturer: 'rtsp',
        model: '',
        serial: '',
        unique: parseRtspUrl(main)?.url ?? main,
      }),
      name: parseRtspUrl(main)?.host ?? '',
      info: { manufacturer: '', model: server, firmware: '' },
      deviceType: DEVICE_TYPE.IPC,
      channels: [{ channelNo: 1, name: '', streams }],
      capabilities: [],
      channelCapabilities: (await this.#listens(main)) ? ['talk'] : [],
      warnings: warningsOf(streams),
    };
  }

  /** Servers that know nothing of it refuse the question. */
  async #listens(url: string): Promise<boolean> {
    try {
      return backChannelOf((await this.#describeAt(url, BACK_CHANNEL_REQUIRED)).sdp) !== null;
    } catch (error) {
      if (error instanceof RtspError) return false;
      throw error;
    }
  }

  async #ask(url: string): Promise<Asked> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#askOnce(url);
      } catch (error) {
        const isBusy = error instanceof RtspError && error.status === serviceUnavailable;
        if (!isBusy || attempt === busyAttempts) throw rtspFault(error);
        await this.#pause(busyPauseMs);
      }
    }
  }

  async #askOnce(url: string): Promise<Asked> {
    const { sdp, server } = await this.#describeAt(url, {});
    return { stream: describedStream(sdp), server: serverName(server) };
  }

  async #describeAt(url: string, headers: Readonly<Record<string, string>>): Promise<RtspDescription> {
    const { clock, randomBytes } = this.#context;
    return await describeRtsp({
      url,
      headers,
      credentials: this.#credentials,
      dial: rtspDial(this.#context),
      clock,
      clientNonce: () => randomBytes(8).toString('hex'),
      signal: this.#signal,
      timeoutMs: describeTimeoutMs,
    });
  }

  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#context.clock.after(ms, resolve);
    await raceSignal(promise, this.#signal, cancel);
  }
}

function streamInfo(quality: StreamQuality, { codec, width, height, audio }: DescribedStream): StreamInfo {
  return { quality, codec, width, height, ...(audio === null ? {} : { audio }) };
}

function warningsOf(streams: readonly StreamInfo[]): ProbeWarning[] {
  const codec = streams[0]?.audio;
  if (codec === undefined || playableAudio.has(codec)) return [];
  return [{ kind: 'audio-not-supported', channelNo: 1, codec }];
}

/** The only thing an RTSP server says about itself. */
function serverName(header: string | null): string {
  return (header ?? '')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, 64);
}
