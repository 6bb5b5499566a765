// Driver interfaces: what a site asks of a device, whatever its protocol. An absent member means 1006 functionNotSupported.
import type { DEVICE_TYPE } from '@vedette/contract/enumerations.ts';
import type { SchemeMemory } from '@vedette/protocols/rtsp/authentication.ts';
import type { ConfigSections } from './config-section.ts';
import type { DriverContext } from './driver-context.ts';
import type { ListenToEvents } from './event-feed.ts';
import type { PtzCapability, PtzController } from './ptz.ts';

/** 0 main, 1 second, 2 third (EN-21). */
export type StreamQuality = 0 | 1 | 2;

/** Device types of the contract (EN-18) that a probe can detect. */
export type ProbedDeviceType = (typeof DEVICE_TYPE)['IPC' | 'NVR' | 'AIBOX' | 'ACS' | 'RADAR'];

/** Secret: never logged, never part of `native`, never in an answer. */
export interface DeviceCredentials {
  readonly user: string;
  readonly password: string;
  /** How the device authenticated us so far. */
  readonly schemes?: SchemeMemory;
}

/** What a driver needs to find the device again, as JSON without secrets; opaque to others. */
export type DeviceNative = Readonly<Record<string, unknown>>;

export interface DeviceInfo {
  readonly manufacturer: string;
  readonly model: string;
  readonly firmware: string;
}

export interface StreamInfo {
  readonly quality: StreamQuality;
  /** `h264`, `h265`, `mjpeg`, or the device's own name in lower case for an unsupported codec (`mpeg4`). */
  readonly codec: string;
  /** 0 if unknown before the first frame. */
  readonly width: number;
  readonly height: number;
  readonly fps?: number;
  readonly kbps?: number;
  readonly audio?: string;
}

export interface ChannelInfo {
  /** From 1. */
  readonly channelNo: number;
  /** 1: radar; absent: video. */
  readonly channelType?: 0 | 1;
  readonly name: string;
  /** Sorted by quality; empty if the channel has no stream now. */
  readonly streams: readonly StreamInfo[];
  /** Capabilities of this channel beyond those of the device. */
  readonly capabilities?: readonly ChannelCapability[];
}

/** Capabilities of a device or channel, for the abilities of the contract and for hiding controls. */
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
  /** The device's own name, or ''. */
  readonly name: string;
  readonly info: DeviceInfo;
  readonly deviceType: ProbedDeviceType;
  readonly channels: readonly ChannelInfo[];
  readonly capabilities: readonly DeviceCapability[];
  readonly channelCapabilities: readonly ChannelCapability[];
  readonly warnings: readonly ProbeWarning[];
}

/** Result of a probe: everything needed to show, save and open the device. */
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

/** Back channel of the device: DESCRIBE with `Require: www.onvif.org/ver20/backchannel` (ONVIF Streaming 5.3). */
export interface TalkTarget {
  readonly kind: 'rtsp-backchannel';
  /** Without user and password. */
  readonly url: string;
  readonly credentials: DeviceCredentials | null;
}

/** Replay of an edge recording: PLAY with `Require: onvif-replay` and `Range: clock=` (ONVIF Streaming 6). */
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
  /** For a missing quality the nearest one is returned. */
  source(quality: StreamQuality, signal?: AbortSignal): Promise<MediaSource>;
  snapshot?(signal?: AbortSignal): Promise<SnapshotImage>;
  keyframe?(quality: StreamQuality, signal?: AbortSignal): Promise<void>;
  /** Announced by the device; only DESCRIBE shows whether it works. */
  talk?(signal?: AbortSignal): Promise<TalkTarget>;
  /** Moves, zooms and focuses the camera. */
  readonly ptz?: PtzController;
  readonly config?: ConfigSections;
  /** Recorded spans of the device within the range, sorted, as far as it reports them. */
  recorded?(from: number, to: number, signal?: AbortSignal): Promise<readonly RecordedSpan[]>;
  replay?(from: number, to: number, signal?: AbortSignal): Promise<ReplaySource>;
}

/** A file that can be read repeatedly from its start. */
export interface FirmwareFile {
  readonly bytes: number;
  read(): AsyncIterable<Uint8Array>;
}

/** Endpoint of a device. */
export interface DeviceEndpoint {
  readonly host: string;
  readonly port: number;
}

export interface Driver {
  /** In registry.ts. */
  readonly id: string;
  readonly endpoint: DeviceEndpoint;
  /** Fetched once and cached until `refresh`. */
  describe(signal?: AbortSignal): Promise<DeviceDescription>;
  /** Drops the cached description, for example after a firmware upgrade. */
  refresh(): void;
  /** Rejects with DeviceFault `unknown-channel`. */
  channel(channelNo: number, signal?: AbortSignal): Promise<ChannelDriver>;
  /** Cheap check of reachability and credentials. */
  check(signal?: AbortSignal): Promise<void>;
  reboot?(signal?: AbortSignal): Promise<void>;
  /** Resolves when the device has the whole file; it then installs it and restarts. */
  upgrade?(file: FirmwareFile, onSent: (bytes: number) => void, signal?: AbortSignal): Promise<void>;
  /** Absent if the protocol has no events; such a device is found offline only by polling. */
  readonly listen?: ListenToEvents;
  /** Aborts everything running; idempotent. */
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

/** One per protocol, listed in registry.ts. */
export interface DriverModule {
  readonly id: string;
  /** Reads without changing the device. Rejects with DeviceFault. */
  probe(request: ProbeRequest): Promise<Candidate>;
  /** No I/O. Throws TypeError for a `native` of another driver. */
  open(request: OpenRequest): Driver;
}
