// The driver interfaces: what the site asks of a device, whatever protocol it speaks. An absent member means 1006 functionNotSupported.
import type { DEVICE_TYPE } from '@vedette/contract/enumerations.ts';
import type { SchemeMemory } from '@vedette/protocols/rtsp/authentication.ts';
import type { ConfigSections } from './config-section.ts';
import type { DriverContext } from './driver-context.ts';
import type { ListenToEvents } from './event-feed.ts';
import type { PtzCapability, PtzController } from './ptz.ts';

/** 0 main, 1 second, 2 third (EN-21). */
export type StreamQuality = 0 | 1 | 2;

/** Device types of the contract (EN-18) that a probe can tell apart. */
export type ProbedDeviceType = (typeof DEVICE_TYPE)['IPC' | 'NVR' | 'AIBOX' | 'ACS' | 'RADAR'];

/** Secret: never logged, never part of `native`, never in an answer. */
export interface DeviceCredentials {
  readonly user: string;
  readonly password: string;
  /** How the device let us in so far. */
  readonly schemes?: SchemeMemory;
}

/** What a driver needs to find the device again, as plain JSON without secrets; only its driver reads it. */
export type DeviceNative = Readonly<Record<string, unknown>>;

export interface DeviceInfo {
  readonly manufacturer: string;
  readonly model: string;
  readonly firmware: string;
}

export interface StreamInfo {
  readonly quality: StreamQuality;
  /** `h264`, `h265`, `mjpeg`, or the device's own word in lower case for one we cannot show (`mpeg4`). */
  readonly codec: string;
  /** 0 when the device does not say before the first picture. */
  readonly width: number;
  readonly height: number;
  readonly fps?: number;
  readonly kbps?: number;
  readonly audio?: string;
}

export interface ChannelInfo {
  /** From 1. */
  readonly channelNo: number;
  /** 1: a radar's; what is absent is a picture. */
  readonly channelType?: 0 | 1;
  readonly name: string;
  /** Sorted by quality; empty when the channel has no stream at present. */
  readonly streams: readonly StreamInfo[];
  /** What this channel alone can do beside what all of the device can. */
  readonly capabilities?: readonly ChannelCapability[];
}

/** What the device can do on a channel, for capacity and for hiding controls. */
export type ChannelCapability = 'snapshot' | 'keyframe' | 'replay' | 'talk' | PtzCapability;
type DeviceCapability = 'reboot' | 'upgrade';

export type ProbeWarning =
  | { readonly kind: 'clock-differs'; readonly offsetMs: number }
  | { readonly kind: 'address-differs'; readonly advertised: string }
  | { readonly kind: 'no-serial' }
  | { readonly kind: 'channel-without-stream'; readonly channelNo: number }
  | { readonly kind: 'unsupported-codec'; readonly channelNo: number; readonly codec: string }
  | { readonly kind: 'audio-not-supported'; readonly channelNo: number; readonly codec: string };

export interface DeviceDescription {
  /** deviceSerial: 1 to 20 letters or digits, stable for the device (see device-serial.ts). */
  readonly serial: string;
  /** The name the device calls itself, or ''. */
  readonly name: string;
  readonly info: DeviceInfo;
  readonly deviceType: ProbedDeviceType;
  readonly channels: readonly ChannelInfo[];
  readonly capabilities: readonly DeviceCapability[];
  readonly channelCapabilities: readonly ChannelCapability[];
  readonly warnings: readonly ProbeWarning[];
}

/** The answer of a probe: everything needed to show the device, to save it and to open it. */
export interface Candidate extends DeviceDescription {
  /** Id of the driver in registry.ts. */
  readonly driver: string;
  readonly native: DeviceNative;
}

export interface MediaSource {
  readonly kind: 'rtsp-pull';
  /** Without user and password. */
  readonly url: string;
  readonly credentials: DeviceCredentials | null;
}

/** Where the device listens: DESCRIBE with `Require: www.onvif.org/ver20/backchannel` (ONVIF Streaming 5.3). */
export interface TalkTarget {
  readonly kind: 'rtsp-backchannel';
  /** Without user and password. */
  readonly url: string;
  readonly credentials: DeviceCredentials | null;
}

/** A recording of the device itself: PLAY with `Require: onvif-replay` and `Range: clock=` (ONVIF Streaming 6). */
export interface ReplaySource {
  readonly kind: 'rtsp-replay';
  readonly url: string;
  readonly credentials: DeviceCredentials | null;
  /** Milliseconds since 1970 UTC. */
  readonly from: number;
  readonly to: number;
}

export interface RecordedSpan {
  readonly from: number;
  readonly to: number;
}

export interface SnapshotImage {
  readonly contentType: string;
  readonly data: Buffer;
}

export interface ChannelDriver {
  readonly channelNo: number;
  /** A quality the channel lacks gives the nearest one it has. */
  source(quality: StreamQuality, signal?: AbortSignal): Promise<MediaSource>;
  snapshot?(signal?: AbortSignal): Promise<SnapshotImage>;
  keyframe?(quality: StreamQuality, signal?: AbortSignal): Promise<void>;
  /** A device may take it back when asked: only its description says whether it really listens. */
  talk?(signal?: AbortSignal): Promise<TalkTarget>;
  /** Turns, zooms, focuses the camera. */
  readonly ptz?: PtzController;
  readonly config?: ConfigSections;
  /** Spans the device holds within the range, sorted, as far as it tells. */
  recorded?(from: number, to: number, signal?: AbortSignal): Promise<readonly RecordedSpan[]>;
  replay?(from: number, to: number, signal?: AbortSignal): Promise<ReplaySource>;
}

/** A file that is read from its beginning as often as it is asked for. */
export interface FirmwareFile {
  readonly bytes: number;
  read(): AsyncIterable<Uint8Array>;
}

/** Where a device listens. */
export interface DeviceEndpoint {
  readonly host: string;
  readonly port: number;
}

export interface Driver {
  /** In registry.ts. */
  readonly id: string;
  readonly endpoint: DeviceEndpoint;
  /** Asked of the device once and kept until `refresh`. */
  describe(signal?: AbortSignal): Promise<DeviceDescription>;
  /** Forgets what was described, for example after a firmware change. */
  refresh(): void;
  /** Rejects with DeviceFault `unknown-channel`. */
  channel(channelNo: number, signal?: AbortSignal): Promise<ChannelDriver>;
  /** Cheap liveness and credentials check: resolves when the device answers and lets us in. */
  check(signal?: AbortSignal): Promise<void>;
  reboot?(signal?: AbortSignal): Promise<void>;
  /** Resolves when the device has the whole file; it installs it, and is away, after that. */
  upgrade?(file: FirmwareFile, onSent: (bytes: number) => void, signal?: AbortSignal): Promise<void>;
  /** Absent where the protocol tells nothing by itself; a device without events is found only by trying. */
  readonly listen?: ListenToEvents;
  /** Aborts what is under way; idempotent. */
  close(): Promise<void>;
}

export interface ProbeRequest {
  /** Without user and password; RTSP paths and queries exactly as typed. */
  readonly url: string;
  readonly credentials: DeviceCredentials | null;
  readonly context: DriverContext;
  readonly signal?: AbortSignal | undefined;
}

export interface OpenRequest {
  readonly native: DeviceNative;
  readonly credentials: DeviceCredentials | null;
  readonly context: DriverContext;
}

/** One per protocol; a row of registry.ts. */
export interface DriverModule {
  readonly id: string;
  /** Reads from the device and changes nothing on it. Rejects with DeviceFault. */
  probe(request: ProbeRequest): Promise<Candidate>;
  /** No I/O. Rejects a `native` that is not its own with TypeError. */
  open(request: OpenRequest): Driver;
}
