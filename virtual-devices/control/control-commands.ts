// The commands of the control port, each with the input it takes.

import type { ServerScheme } from '@vedette/protocols/http-digest/server-authentication.ts';
import type { VirtualDevice } from '../host/virtual-device.ts';
import type { OnvifAuthMode } from '../onvif/onvif-device.ts';
import { soapFaultKinds } from '../onvif/soap-faults.ts';
import type { LiveStream } from '../stream/live-stream.ts';
import { ControlError, type Input, numberOf } from './control-input.ts';
import { eventCommands } from './event-commands.ts';
import { audioCodecs, videoCodecs } from '../stream/stream-format.ts';

type Command = (device: VirtualDevice, input: Input) => object | Promise<object>;

const SCHEMES: readonly ServerScheme[] = ['basic', 'digest-md5', 'digest-sha-256'];
const FIRMWARE_FAULTS = ['none', 'drops', 'stays-old'] as const;
const FIRMWARE_WAYS = ['http', 'mtom', 'both'] as const;
const DISK_STATES = ['ok', 'unformatted', 'error', 'missing'] as const;
const MODES: readonly OnvifAuthMode[] = ['both', 'wsse', 'digest', 'none'];

const commands: Readonly<Record<string, Command>> = {
  ...eventCommands,
  /** Everything off: ports closed, lines reset. */
  stop: async (device) => {
    await device.stop();
    return {};
  },
  /** On again, at the same ports. */
  start: async (device) => {
    if (!device.isRunning) await device.start();
    return { target: device.target };
  },
  /** `{fault: "none" | "drops" | "stays-old", way?: "http" | "mtom" | "both"}`: how the next firmware goes wrong, and how it may come. */
  firmware: (device, input) => {
    device.firmware.fault = wordsOf([input['fault']], FIRMWARE_FAULTS)[0] ?? 'none';
    device.firmware.way = wordsOf([input['way'] ?? 'both'], FIRMWARE_WAYS)[0] ?? 'both';
    return { version: device.firmware.version, installs: device.firmware.installs };
  },
  /** `{disk, state: "ok" | "unformatted" | "error" | "missing"}`: what becomes of a card or disk. */
  disk: (device, input) => {
    const disk = device.disks.list.find(({ id }) => id === String(input['disk'] ?? '1'));
    if (disk === undefined) throw new ControlError('no such disk');
    disk.state = wordsOf([input['state']], DISK_STATES)[0] ?? 'ok';
    return {};
  },
  /** Resets the lines of all RTSP clients. */
  drop: (device) => ({ dropped: device.dropConnections() }),
  /** `{stream?, on}`: lines stay open, nothing comes. */
  stall: (device, input) =>
    each(device, input, ({ faults }) => {
      faults.isStalled = input['on'] !== false;
    }),
  /** `{stream?, on}`: the same picture again and again. */
  freeze: (device, input) =>
    each(device, input, ({ faults }) => {
      faults.isFrozen = input['on'] !== false;
    }),
  /** `{stream?, seconds, obeys?}`: 0 seconds is never; `obeys: false` ignores who asks for a keyframe. */
  gop: (device, input) => {
    const seconds = numberOf(input, 'seconds');
    return each(device, input, ({ faults }) => {
      faults.gopSeconds = seconds === 0 ? Infinity : seconds;
      faults.ignoresKeyframeRequests = input['obeys'] === false;
    });
  },
  /** `{stream?, rate?, set?, once?}`: pace of the RTP time, its value from now on, ticks added to one picture alone. */
  'rtp-time': (device, input) => {
    const [rate, set, once] = ['rate', 'set', 'once'].map((key) =>
      input[key] === undefined ? null : numberOf(input, key),
    );
    return each(device, input, (stream) => {
      stream.faults.timeRate = rate ?? stream.faults.timeRate;
      stream.faults.oneOffTicks = once ?? 0;
      if (typeof set === 'number') stream.setTime(set);
    });
  },
  /** `{stream?, every}`: every n-th picture is damaged; 0 ends it. */
  garbage: (device, input) =>
    each(device, input, ({ faults }) => {
      faults.garbageEvery = numberOf(input, 'every');
    }),
  /** `{stream?, width, height}`: new parameter sets in the middle of the stream. */
  reshape: (device, input) => {
    const [width, height] = [numberOf(input, 'width'), numberOf(input, 'height')];
    if (width % 320 !== 0 || width > 1920 || height % 2 !== 0 || height * 16 !== width * 9)
      throw new ControlError('16:9 with a width of 320, 640, 1280 …');
    return each(device, input, (stream) => stream.reshape({ ...stream.currentShape, width, height }));
  },
  /** `{stream?, video?, sound?, hangsUp?, describesAll?}`: other codecs, no sound where `sound` is null; `hangsUp: false` goes on without a word. */
  format: (device, input) => {
    const video = input['video'] === undefined ? undefined : wordsOf([input['video']], videoCodecs)[0];
    const sound = typeof input['sound'] === 'string' ? (wordsOf([input['sound']], audioCodecs)[0] ?? null) : null;
    return each(device, input, (stream) => {
      stream.faults.describesAll = input['describesAll'] === true;
      const { format } = stream;
      const next = { video: video ?? format.video, sound: input['sound'] === undefined ? format.sound : sound };
      stream.reformat(next, input['hangsUp'] !== false);
    });
  },
  /** `{stream?}`: the next picture is a keyframe. */
  key: (device, input) => each(device, input, (stream) => stream.requestKeyframe()),
  /** `{offsetMs}`: the device's clock is wrong. */
  clock: (device, input) => {
    device.behaviour.clockOffsetMs = numberOf(input, 'offsetMs');
    return {};
  },
  /** `{rtsp?: ["basic", "digest-md5", "digest-sha-256"], onvif?: "both" | "wsse" | "digest" | "none", replays?: boolean}`. */
  auth: (device, input) => {
    if (input['rtsp'] !== undefined) device.behaviour.rtspSchemes = wordsOf(input['rtsp'], SCHEMES);
    if (input['onvif'] !== undefined) device.behaviour.onvifAuth = wordsOf([input['onvif']], MODES)[0] ?? 'both';
    if (input['replays'] !== undefined) device.behaviour.takesReplays = input['replays'] === true;
    return {};
  },
  /** `{password}`: somebody sets another one. */
  password: (device, input) => {
    device.behaviour.newPassword = String(input['password']);
    return {};
  },
  /** `{channelNo, presets: [{token, name}]}`: what stands in the head's memory, all at its present place. */
  presets: (device, input) => {
    const head = device.ptzOf(numberOf(input, 'channelNo'));
    const list = input['presets'];
    if (head === null || !Array.isArray(list)) throw new ControlError('a channel with a head, and a list of presets');
    head.presets = list.map(({ token, name }: Input) => ({
      token: String(token),
      name: String(name),
      place: head.place,
    }));
    return { presets: head.presets.length };
  },
  /** What was said before counts no more. */
  'forget-heard': (device) => {
    for (const ear of device.ears.values()) ear.forget();
    return {};
  },
  /** New nonces: the next request of each client is answered 401 with `stale=true`. */
  nonce: (device) => {
    device.renewNonces();
    return {};
  },
  /** `{loss, duplicate, jitterMs}`: shares of datagrams lost and doubled, and how late each may be; all 0 ends it. */
  udp: (device, input) => {
    const [loss, duplicate, jitterMs] = [
      numberOf(input, 'loss'),
      numberOf(input, 'duplicate'),
      numberOf(input, 'jitterMs'),
    ];
    const copy = (): number => Math.random() * jitterMs;
    const fault = (): number[] => {
      if (Math.random() < loss) return [];
      return Math.random() < duplicate ? [copy(), copy()] : [copy()];
    };
    device.behaviour.datagramFault = loss + duplicate + jitterMs === 0 ? null : fault;
    return {};
  },
  /** Sessions are forgotten: the next request of each client is answered 454. */
  'forget-sessions': (device) => {
    device.forgetSessions();
    return {};
  },
  /** `{seconds}`: what Session headers promise, and when silent clients are dropped. */
  timeout: (device, input) => {
    device.behaviour.sessionTimeoutSeconds = numberOf(input, 'seconds');
    return {};
  },
  /** `{kind: "status" | "silence" | "reset", status?, reason?, method?, times?}`: the next RTSP requests are answered so. */
  'rtsp-fault': (device, input) => {
    const kind = input['kind'];
    const method = typeof input['method'] === 'string' ? input['method'] : null;
    const times = input['times'] === undefined ? 1 : numberOf(input, 'times');
    if (kind === 'silence' || kind === 'reset') device.behaviour.rtspFault = { fault: { kind }, method, times };
    else if (kind === 'status') {
      const fault = { kind, status: numberOf(input, 'status'), reason: String(input['reason'] ?? 'Fault') } as const;
      device.behaviour.rtspFault = { fault, method, times };
    } else throw new ControlError('kind is status, silence or reset');
    return {};
  },
  /**
   * `{kind, operation?, times?, ms?, status?, subcodes?}`: the next SOAP requests (of that operation) are answered so;
   * `times: 0` ends it.
   */
  'soap-fault': (device, input) => {
    const [kind] = wordsOf([input['kind'] ?? 'hang'], soapFaultKinds);
    const operation = typeof input['operation'] === 'string' ? input['operation'] : null;
    const number = (key: string, usual: number) => (input[key] === undefined ? usual : numberOf(input, key));
    const subcodes = Array.isArray(input['subcodes']) ? input['subcodes'].map(String) : ['ter:Action'];
    const times = number('times', 1);
    const fault = {
      kind: kind ?? 'hang',
      operation,
      delayMs: number('ms', 1000),
      status: number('status', 500),
      subcodes,
    };
    device.soapFaults.plan(times === 0 ? null : { ...fault, times });
    return {};
  },
};

export async function runCommand(device: VirtualDevice, name: string, text: string): Promise<object> {
  const command = commands[name];
  if (command === undefined) throw new ControlError(`commands: ${Object.keys(commands).join(', ')}`);
  return command(device, parse(text));
}

function parse(text: string): Input {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ControlError('the body is not JSON', { cause: error });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ControlError('a JSON object is expected');
  return value as Input;
}

/** One stream named by `stream` (its path), else all of the device. */
function each(device: VirtualDevice, input: Input, act: (stream: LiveStream) => void): object {
  const chosen = [...device.streams].filter(([path]) => input['stream'] === undefined || path === input['stream']);
  if (chosen.length === 0) throw new ControlError('no such stream');
  for (const [, stream] of chosen) act(stream);
  return { streams: chosen.map(([path]) => path) };
}

function wordsOf<T extends string>(value: unknown, known: readonly T[]): T[] {
  if (!Array.isArray(value)) throw new ControlError(`a list of ${known.join(', ')} is expected`);
  return value.map((word) => {
    const found = known.find((one) => one === word);
    if (found === undefined) throw new ControlError(`${String(word)} is none of ${known.join(', ')}`);
    return found;
  });
}
