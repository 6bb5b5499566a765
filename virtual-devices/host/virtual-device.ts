// One virtual camera or recorder: its streams, its RTSP server and its HTTP server, started and stopped as one.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServerScheme } from '@vedette/protocols/http-digest/server-authentication.ts';
import { RtspServer } from '@vedette/protocols/rtsp/server/server.ts';
import type { DatagramFault, RtspFault, RtspMount } from '@vedette/protocols/rtsp/server/server-mount.ts';
import { DeviceEvents } from '../events/device-events.ts';
import type { RecordingGenerator } from '../recordings/recording-generator.ts';
import { ReplayMount } from '../recordings/replay-mount.ts';
import { CameraPtz } from '../ptz/camera-ptz.ts';
import { ptzView } from '../ptz/ptz-view.ts';
import type { OnvifAuthMode, OnvifDevice } from '../onvif/onvif-device.ts';
import { sourceConfigurationToken, sourceToken } from '../onvif/media-profiles.ts';
import { SoapFaults } from '../onvif/soap-faults.ts';
import { CameraVideo } from '../scene/camera-video.ts';
import { sceneCatalogue } from '../scene/scene-catalogue.ts';
import { LiveStream, type StreamClock } from '../stream/live-stream.ts';
import { TalkReceiver } from '../stream/talk-receiver.ts';
import { ChannelSettings } from '../device/channel-settings.ts';
import { Contacts } from '../events/contacts.ts';
import { Disks } from '../device/disks.ts';
import { DeviceHttp } from './device-http.ts';
import { DeviceTime } from '../device/device-time.ts';
import { Firmware } from '../device/firmware.ts';
import {
  type ChannelPlan,
  type DevicePlan,
  GOP_SECONDS,
  livePath,
  liveShapes,
  nominalKbps,
  type Quality,
  qualities,
} from '../device/device-plan.ts';

/** How the device behaves at present; tests change it while it runs. */
export interface DeviceBehaviour {
  rtspSchemes: readonly ServerScheme[];
  onvifAuth: OnvifAuthMode;
  /** The same UsernameToken twice, as most cameras do. */
  takesReplays: boolean;
  /** Added to the machine's clock. */
  clockOffsetMs: number;
  /** In place of the plan's. */
  newPassword: string | null;
  sessionTimeoutSeconds: number;
  /** The next that many RTSP requests are answered so. */
  /** Of everything sent over UDP. */
  datagramFault: DatagramFault | null;
  rtspFault: { readonly fault: RtspFault; readonly method: string | null; times: number } | null;
}

/** A ring of seven days. */
const RECORDINGS_KEPT_MS = 7 * 86_400_000;

/** Time for the answer to leave before a reboot, and time without the device. */
const ANSWER_MS = 200;
const REBOOT_MS = 5000;

export interface VirtualDeviceOptions {
  readonly plan: DevicePlan;
  readonly host: string;
  /** 0: any free port; kept over stop and start. */
  readonly httpPort: number;
  readonly rtspPort: number;
  readonly clock: StreamClock;
  readonly utcOffset: (utcMs: number) => number;
  readonly seed: number;
  /** Shared by all devices of the process. */
  readonly recordingGenerator: RecordingGenerator;
  /** Told of errors that are the device's own. */
  readonly report: (error: unknown) => void;
}

export class VirtualDevice implements OnvifDevice {
  readonly plan: DevicePlan;
  readonly behaviour: DeviceBehaviour = {
    rtspSchemes: ['digest-sha-256', 'digest-md5', 'basic'],
    onvifAuth: 'both',
    takesReplays: false,
    clockOffsetMs: 0,
    newPassword: null,
    sessionTimeoutSeconds: 60,
    datagramFault: null,
    rtspFault: null,
  };
  /** By path, for example `/live/1/main`. */
  readonly streams = new Map<string, LiveStream>();
  readonly time = new DeviceTime();
  readonly contacts: Contacts;
  readonly disks: Disks;
  readonly firmware: Firmware;
  private readonly settings: readonly ChannelSettings[];
  readonly clock: StreamClock;
  readonly events: DeviceEvents;
  readonly soapFaults = new SoapFaults();
  /** By channel number. */
  readonly ears = new Map<number, TalkReceiver>();
  /** By channel number; those that stand still are absent. */
  readonly ptzUnits = new Map<number, CameraPtz>();
  /** By path, for example `/replay/1`. */
  readonly footage = new Map<string, ReplayMount>();
  private readonly options: VirtualDeviceOptions;
  private readonly front: DeviceHttp;
  private rtsp: RtspServer | null = null;
  private http: Server | null = null;
  private ports: { http: number; rtsp: number };

  constructor(options: VirtualDeviceOptions) {
    this.options = options;
    this.plan = options.plan;
    this.ports = { http: options.httpPort, rtsp: options.rtspPort };
    this.clock = {
      wallMs: () => options.clock.wallMs() + this.behaviour.clockOffsetMs,
      monotonicMs: () => options.clock.monotonicMs(),
    };
    this.settings = this.plan.channels.map((channel, index) => {
      // Seen at once, not with the next keyframe.
      return new ChannelSettings(channel, () => {
        for (const quality of qualities) this.streamOf(index + 1, quality)?.requestKeyframe();
      });
    });
    for (const [index, channel] of this.plan.channels.entries()) {
      this.addStreams(index + 1, channel);
      if (this.plan.hasHistory) this.addReplayMount(index + 1, channel);
    }
    this.events = new DeviceEvents({
      plan: this.plan,
      clock: this.clock,
      utcOffset: options.utcOffset,
      settingsOf: (channelNo) => this.settingsOf(channelNo),
      ptzOf: (channelNo) => this.ptzOf(channelNo),
      tokensOf: (channelNo) => ({ source: sourceToken(channelNo), configuration: sourceConfigurationToken(channelNo) }),
    });
    this.contacts = new Contacts(this.events.source);
    const monotonicMs = () => this.clock.monotonicMs();
    this.disks = new Disks(this.plan.kind, monotonicMs);
    this.firmware = new Firmware({ monotonicMs, reboot: () => this.reboot() });
    if (options.plan.isOpen)
      Object.assign(this.behaviour, { rtspSchemes: [], onvifAuth: 'none' } satisfies Partial<DeviceBehaviour>);
    this.front = new DeviceHttp(this, options.report);
  }

  get isRunning(): boolean {
    return this.http !== null;
  }

  get httpPort(): number {
    return this.ports.http;
  }

  get rtspPort(): number {
    return this.ports.rtsp;
  }

  get target(): string {
    return `http://${this.options.host}:${this.ports.http}/onvif/device_service`;
  }

  passwordOf(user: string): string | null {
    return user === this.plan.user ? (this.behaviour.newPassword ?? this.plan.password) : null;
  }

  async start(): Promise<void> {
    const rtsp = new RtspServer({
      authentication: {
        realm: this.plan.serial,
        schemes: () => this.behaviour.rtspSchemes,
        passwordOf: (user) => this.passwordOf(user),
      },
      serverName: `Vedette virtual device ${this.plan.model}`,
      mountOf: (path) => this.mountOf(path),
      udpPorts: 'any',
      datagramFaultOf: () => this.behaviour.datagramFault,
      timeoutSeconds: () => this.behaviour.sessionTimeoutSeconds,
      faultOf: (request) => this.takeFault(request.method),
    });
    const http = createServer((request, response) => this.front.serve(request, response));
    const rtspPort = await rtsp.listen(this.ports.rtsp, this.options.host);
    await new Promise<void>((resolve, reject) => {
      http.once('error', reject);
      http.listen(this.ports.http, this.options.host, resolve);
    });
    this.ports = { http: (http.address() as AddressInfo).port, rtsp: rtspPort };
    this.rtsp = rtsp;
    this.http = http;
    this.events.start();
  }

  /** As if the power were cut: nothing answers on its ports, every line is reset. */
  async stop(): Promise<void> {
    const { rtsp, http } = this;
    this.rtsp = null;
    this.http = null;
    this.events.stop();
    await rtsp?.close();
    if (http === null) return;
    http.closeAllConnections();
    await new Promise<void>((resolve) => http.close(() => resolve()));
  }

  reboot(): void {
    setTimeout(() => {
      this.stop()
        .then(() => setTimeout(() => this.start().catch(this.options.report), REBOOT_MS))
        .catch(this.options.report);
    }, ANSWER_MS);
  }

  /** The lines of all RTSP clients are reset; the device goes on. */
  dropConnections(): number {
    const connections = [...(this.rtsp?.connections ?? [])];
    for (const connection of connections) connection.destroy();
    return connections.length;
  }

  forgetSessions(): void {
    for (const connection of this.rtsp?.connections ?? []) connection.forgetSession();
  }

  renewNonces(): void {
    for (const connection of this.rtsp?.connections ?? []) connection.renewNonce();
  }

  get connectionCount(): number {
    return this.rtsp?.connections.size ?? 0;
  }

  setClock(utcMs: number | null): void {
    this.behaviour.clockOffsetMs = utcMs === null ? 0 : utcMs - this.options.clock.wallMs();
  }

  settingsOf(channelNo: number): ChannelSettings {
    const settings = this.settings[channelNo - 1];
    if (settings === undefined) throw new RangeError(`no channel ${channelNo}`);
    return settings;
  }

  ptzOf(channelNo: number): CameraPtz | null {
    return this.ptzUnits.get(channelNo) ?? null;
  }

  streamOf(channelNo: number, quality: Quality): LiveStream | null {
    return this.streams.get(livePath(channelNo, quality)) ?? null;
  }

  rtspUrl(path: string): string {
    return `rtsp://${this.options.host}:${this.ports.rtsp}${path}`;
  }

  httpUrl(path: string): string {
    return `http://${this.options.host}:${this.ports.http}${path}`;
  }

  recordingsFrom(): number {
    return Math.floor((this.clock.wallMs() - RECORDINGS_KEPT_MS) / 60_000) * 60_000;
  }

  recordingSeed(channelNo: number): number {
    return this.options.seed * 64 + channelNo;
  }

  private addStreams(channelNo: number, channel: ChannelPlan): void {
    const talkReceiver =
      channel.talk === undefined ? null : new TalkReceiver(channel.talk, () => this.clock.monotonicMs());
    if (talkReceiver !== null) this.ears.set(channelNo, talkReceiver);
    const head = channel.hasPtz === true ? new CameraPtz(() => this.clock.monotonicMs()) : null;
    if (head !== null) this.ptzUnits.set(channelNo, head);
    for (const [index, quality] of qualities.entries()) {
      const stream = new LiveStream({
        name: `${channel.name} ${quality}`,
        createVideo: (shape) =>
          new CameraVideo({
            scene: sceneCatalogue[channel.scene],
            variant: channel.variant,
            name: channel.label,
            utcOffset: (utcMs) => this.time.offsetAt(utcMs) ?? this.options.utcOffset(utcMs),
            shape,
            look: () => this.settingsOf(channelNo).look,
            ...(head !== null && { view: () => ptzView(head, this.clock.monotonicMs()) }),
            streamName: `${quality} ${shape.width}x${shape.height}`,
          }),
        shape: liveShapes[quality],
        gopSeconds: GOP_SECONDS,
        kbps: nominalKbps[quality],
        hasAudio: channel.hasAudio === true,
        clock: this.clock,
        talkReceiver,
        seed: this.options.seed * 64 + channelNo * 4 + index + 1,
      });
      this.streams.set(livePath(channelNo, quality), stream);
    }
  }

  private addReplayMount(channelNo: number, channel: ChannelPlan): void {
    const mount = new ReplayMount({
      name: `${channel.name} replay`,
      scene: channel.scene,
      variant: channel.variant,
      label: channel.label,
      utcOffset: this.options.utcOffset,
      seed: this.recordingSeed(channelNo),
      wallMs: () => this.clock.wallMs(),
      maker: this.options.recordingGenerator,
      report: this.options.report,
    });
    this.footage.set(`/replay/${channelNo}`, mount);
  }

  private mountOf(path: string): RtspMount | null {
    const plain = (path.split('?')[0] ?? path).replace(/\/$/, '');
    return this.streams.get(plain) ?? this.footage.get(plain) ?? null;
  }

  private takeFault(method: string): RtspFault | null {
    const pending = this.behaviour.rtspFault;
    if (pending === null || (pending.method !== null && pending.method !== method)) return null;
    if (--pending.times <= 0) this.behaviour.rtspFault = null;
    return pending.fault;
  }
}
