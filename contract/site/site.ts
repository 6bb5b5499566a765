// Site port: JSON messages over one WebSocket that the site dials; remote sites use the same.
import type { RecordPlanDay } from '../calls/record-plan.ts';
import type { DeviceEvent } from '../device-event.ts';
import type { GapReason, ObjectClass, StorageReason } from '../enumerations.ts';
import type { DeviceReason } from '../errors.ts';
import type { ReplayCalls } from './site-replay.ts';
import type { DiskHealth, DiskOrder } from './site-disks.ts';
import type { AnalysisCalls, AnalysisOrder } from './site-analysis.ts';
import type { CdnCalls } from './site-cdn.ts';
import type { CloudCalls, CloudOrder, ObjectStoreAccess } from './site-cloud.ts';
import type { ConfigCalls } from './site-config.ts';
import type { DeviceRecordingCalls } from './site-device-recordings.ts';
import type { ExportCalls } from './site-export.ts';
import type { DirectAttempt, RemoteSiteCalls, RemoteSiteHello } from '../remote-site.ts';
import type { StorageUseCalls } from './site-storage-use.ts';
import type { ScanCalls } from './site-scan.ts';
import type { SightingReport } from './site-sighting.ts';
import type { SnapshotCalls } from './site-snapshot.ts';
import type { PtzCalls } from './site-ptz.ts';
import type { TalkCalls } from './site-talk.ts';
import type { DeviceMaintenanceCalls } from './site-device-maintenance.ts';
import type { TrafficReport } from './site-traffic.ts';

export const SITE_PROTOCOL_VERSION = 1;

/** Everything the site needs to run one device without the server. Credentials are plain on this wire (unix socket or TLS) and encrypted at rest. */
export interface DeviceAssignment {
  readonly deviceSerial: string;
  readonly driver: string;
  /** The driver's own address record, without secrets, as `probe` returned it. */
  readonly native: Readonly<Record<string, unknown>>;
  readonly user: string;
  readonly password: string;
  /** Loopback and link-local addresses are allowed (added by the operator). */
  readonly isOperatorAddress: boolean;
  /** Rises each time the device goes to another site; absent: it never did. */
  readonly epoch?: number;
  /** Another site of the recorder group has the device since: it is not dialled, and its recordings here are kept. Without address and credentials. */
  readonly isElsewhere?: true;
  readonly channels: readonly ChannelAssignment[];
}

export interface ChannelAssignment {
  readonly channelNo: number;
  /** Stable id of the channel that names its folder of recordings: letters and digits. */
  readonly channelId: string;
  readonly record: RecordOrder | null;
  /** Recordings that must not be removed, by wall clock in ms. */
  readonly locks?: readonly { readonly startTime: number; readonly endTime: number }[];
  /** Backfill recordings older than our first: from this wall-clock ms, or null. */
  readonly backfillFrom: number | null;
  /** Absent: its recordings stay on the disk of the site. */
  readonly cloud?: CloudOrder;
  /** Absent: nothing is watched for in its pictures. */
  readonly analysis?: readonly AnalysisOrder[];
}

/** Recording settings of a channel; absent fields have defaults, as in assignments stored by an earlier version. */
export interface RecordOrder {
  readonly quality: 0 | 1 | 2;
  readonly retentionDays: number;
  /** The second stream too, as a series of its own. */
  readonly secondStream?: boolean;
  /** Most that the channel's recordings may take, bytes; null: no limit of its own. */
  readonly quotaBytes?: number | null;
  /** Recordings in which none of the classes was seen, of times in which the channel was looked at, stay so many days. */
  readonly empty?: { readonly classes: readonly ObjectClass[]; readonly days: number };
  /** Seconds before an event that are recorded with it. */
  readonly preRollS?: number;
  /** Backfill outages from the device's own storage. */
  readonly fillsGaps?: boolean;
  /** Absent: always. */
  readonly plan?: {
    readonly days: readonly RecordPlanDay[];
    /** YYYY-MM-DD on which the holiday row holds. */
    readonly holidays: readonly string[];
    readonly timeZone: string;
  };
}

export interface SiteSettings {
  readonly storage: {
    /** Of the first disk; empty: the site's own. */
    readonly folder: string;
    readonly budgetBytes: number;
    readonly reserveBytes: number;
    readonly isEmptying?: boolean | undefined;
    /** Further disks. Absent from earlier versions. */
    readonly moreDisks?: readonly DiskOrder[] | undefined;
  };
  readonly cameraNetworks: readonly string[];
  /** Those that cloud orders name. */
  readonly objectStores?: readonly ObjectStoreAccess[];
}

/** What a media ticket opens. */
export interface TicketGrant {
  readonly ticketId: string;
  /** SHA-256 of the ticket, hex: the site never stores the ticket itself. */
  readonly ticketHash: string;
  readonly userId: string;
  readonly sessionId: string;
  /** Opened by a guest link that `userId` made. */
  readonly isGuest?: true;
  /** `hls` without a range is live. `probe` opens the candidate's live view (`/media/live`) or its first picture (`/media/snapshot/<ticket>`). */
  readonly kind:
    | 'live'
    | 'hls'
    | 'fragments'
    | 'snapshot'
    | 'probe'
    | 'export'
    | 'talk'
    | 'rtsp'
    | 'preset'
    | 'whep'
    | 'push';
  readonly deviceSerial: string;
  readonly channelNo: number;
  readonly quality: 0 | 1 | 2;
  /** Wall-clock range in ms for hls and fragments; null for live. */
  readonly range: { readonly startTime: number; readonly endTime: number } | null;
  /** Strictly no frame outside the range, even if its start can then not be decoded. */
  readonly isExact?: boolean;
  /** First use before this instant, ms. */
  readonly firstUseBefore: number;
  /** When the right itself expires (end of a share), ms, or null. */
  readonly until: number | null;
  /** With a range: `device` edge recordings only, `both` also where we have none; absent: ours only. */
  readonly footage?: 'device' | 'both';
  /** For `probe`: id of the candidate held by the site. */
  readonly probeId: string | null;
  /** For `export`: the finished export that is downloaded. */
  readonly exportId?: string;
  /** For `live`: conversion for a viewer that cannot decode the stream (`mjpeg`: its keyframes); absent: none. */
  readonly transcode?: 'h264' | 'mjpeg';
  /** For `talk`: the talker's name, shown to others. */
  readonly userName?: string;
  /** On the local site: the remote site of the camera. Its stream is relayed once for all viewers. */
  readonly siteId?: string;
  /** For a page of an app on another origin: that origin, which may open and read what the ticket is for; absent: none may. */
  readonly pageOrigin?: string;
}

/** Requests of the server; each is answered by `answer` with the same id. */
export interface SiteCalls
  extends AnalysisCalls,
    CdnCalls,
    CloudCalls,
    ConfigCalls,
    DeviceRecordingCalls,
    ExportCalls,
    RemoteSiteCalls,
    ReplayCalls,
    SnapshotCalls,
    StorageUseCalls,
    ScanCalls,
    PtzCalls,
    TalkCalls,
    DeviceMaintenanceCalls {
  /** The complete list; devices missing from it are removed. */
  assign: { input: { devices: readonly DeviceAssignment[]; settings: SiteSettings }; output: Record<string, never> };
  /** Change of one device; null assignment removes it (`deleteRecordings` also its recordings). */
  assignOne: {
    input: { deviceSerial: string; assignment: DeviceAssignment | null; deleteRecordings: readonly string[] };
    output: Record<string, never>;
  };
  settings: { input: SiteSettings; output: { storage: StorageHealth } };
  ticket: { input: { grants: readonly TicketGrant[] }; output: Record<string, never> };
  /** Ends media opened by these tickets within two seconds, with the code for the tile. */
  revoke: { input: { ticketIds: readonly string[]; code: number }; output: { closed: number } };
  /** Ids of tickets that are open or may still be used; the server re-checks them after a reconnect. */
  tickets: { input: Record<string, never>; output: { ticketIds: readonly string[] } };
  probe: {
    input: { target: string; user: string; password: string; isOperator: boolean };
    output: SiteCandidate;
  };
  /** Checks whether an assigned device accepts its credentials; throws the error otherwise. */
  admits: { input: { deviceSerial: string }; output: Record<string, never> };
  /** 1006 if the device cannot restart. */
  reboot: { input: { deviceSerial: string }; output: Record<string, never> };
  keyframe: { input: { deviceSerial: string; channelNo: number; quality: 0 | 1 | 2 }; output: Record<string, never> };
  streams: { input: { deviceSerial: string; channelNo: number }; output: { streams: readonly SiteStream[] } };
  capabilities: {
    input: { deviceSerial: string; channelNo: number | null };
    output: { capabilities: readonly string[] };
  };
  /** Recorded spans, joined where the gap is below 2 s, oldest first. */
  recordings: {
    input: {
      channelId: string;
      quality: 0 | 1 | 2;
      startTime: number;
      endTime: number;
      /** Asks for the keyframe from which `startTime` can be shown. */
      asksKey?: boolean;
    };
    output: {
      spans: readonly RecordedSpan[];
      gaps: readonly RecordingGap[];
      /** Wall clock of that keyframe, ms; null or absent: unknown. */
      keyMs?: number | null | undefined;
    };
  };
  /**
   * Records an event from `startTime` less the pre-roll to `endTime`, regardless of the plan, and marks it as alarm
   * recording; a later one extends it.
   */
  trigger: {
    input: {
      deviceSerial: string;
      channelNo: number;
      startTime: number;
      endTime: number;
      /** One word for the log: `manual`, an alarm type. */
      reason: string;
    };
    output: Record<string, never>;
  };
  /** Days (YYYY-MM-DD in `timeZone`) of the range with recordings. */
  recordingDays: {
    input: { channelId: string; quality: 0 | 1 | 2; startTime: number; endTime: number; timeZone: string };
    output: { days: readonly string[] };
  };
  health: { input: Record<string, never>; output: SiteHealth };
}

export type SiteCallName = keyof SiteCalls;

export interface SiteStream {
  readonly quality: 0 | 1 | 2;
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  readonly fps: number | null;
  readonly kbps: number | null;
  readonly audio: string | null;
}

export interface SiteCandidate {
  /** Held by the site for ten minutes; names the candidate in `probe` tickets. */
  readonly probeId: string;
  readonly driver: string;
  readonly native: Readonly<Record<string, unknown>>;
  readonly deviceSerial: string;
  readonly deviceName: string;
  readonly deviceType: number;
  readonly manufacturer: string;
  readonly deviceModel: string;
  readonly deviceVersion: string;
  readonly address: string;
  readonly channels: readonly {
    readonly channelNo: number;
    readonly channelName: string;
    /** EN-10; video where it is absent. */
    readonly channelType?: 0 | 1 | undefined;
    readonly streams: readonly SiteStream[];
  }[];
  readonly capabilities: readonly string[];
  readonly warnings: readonly string[];
}

export interface RecordedSpan {
  readonly startTime: number;
  readonly endTime: number;
  /** 1 normal, 2 alarm. */
  readonly recordType: 1 | 2;
  /** Came from the device's own storage after an outage. */
  readonly isFilled?: boolean | undefined;
}

/** A stretch of at least 2 s without recordings between the oldest recording and now. */
export interface RecordingGap {
  readonly startTime: number;
  readonly endTime: number;
  readonly reason: GapReason;
}

export interface StorageHealth {
  readonly folder: string;
  readonly usedBytes: number;
  readonly freeBytes: number;
  readonly budgetBytes: number;
  readonly state: 'normal' | 'full' | 'failing' | 'missing';
  readonly reason: StorageReason | null;
  readonly oldestAt: number | null;
  /** Each disk; the rest is of all together. Absent from earlier versions. */
  readonly disks?: readonly DiskHealth[] | undefined;
}

export interface SiteHealth {
  readonly storage: StorageHealth;
  /**
   * Since the site started: `waiting` for the server, `dropped` oldest ones over the limit, `heldBack` from flooding
   * devices. Absent from earlier versions.
   */
  readonly events?: { readonly waiting: number; readonly dropped: number; readonly heldBack: number } | undefined;
  /** RTSP restreams since the site started; null if off. Absent from earlier versions. */
  readonly restream?:
    | Readonly<Record<'clients' | 'packets' | 'bytes' | 'skippedUnits' | 'unsendableUnits', number>>
    | null
    | undefined;
  /**
   * Worst event loop delay of the recorder in the last minute or two; restarts of the driver host since the site
   * started, and quarantined devices. Absent from earlier versions.
   */
  readonly loops?:
    | { readonly delayMaxMs: number; readonly driverRestarts: number; readonly barred: number }
    | undefined;
  /** The process itself. Absent from earlier versions. */
  readonly process?: SiteProcess | undefined;
  readonly streams: readonly {
    readonly deviceSerial: string;
    readonly channelNo: number;
    readonly quality: number;
    readonly state: string;
    readonly reason: string | null;
    readonly lastFrameAt: number | null;
    readonly counters: Readonly<Record<string, number>>;
  }[];
}

export interface SiteProcess {
  readonly version: string;
  readonly node: string;
  /** Null without one on PATH. */
  readonly ffmpeg: string | null;
  /** Its clock when it answered. */
  readonly wallMs: number;
  readonly startedAt: number;
  /** Processor time since it started, of all its threads. */
  readonly cpuMs: number;
  readonly residentBytes: number;
}

/** Reports of the site, kept until `ack` names their number or a later one. */
export type SiteEvent =
  | {
      readonly kind: 'deviceStatus';
      readonly deviceSerial: string;
      readonly status: 0 | 1 | -1;
      readonly reason: DeviceReason | null;
      readonly at: number;
    }
  | {
      readonly kind: 'channelStatus';
      readonly deviceSerial: string;
      readonly channelNo: number;
      readonly status: 0 | 1 | -1;
      readonly isRecording: boolean;
      readonly at: number;
    }
  | DeviceEventReport
  | SightingReport
  | TrafficReport;

/** At least once and in order per device; online and offline come only as `deviceStatus`. */
export interface DeviceEventReport extends DeviceEvent {
  readonly kind: 'deviceEvent';
  readonly deviceSerial: string;
  /** Globally unique id, for deduplication. */
  readonly eventId: string;
  /** A JPEG, base64. Absent: the site has none, and the alarm shows its recording. */
  readonly picture?: string;
}

export type SiteToServer =
  /**
   * First message, within 5 s. The local site sends as `secret` the lower-case hex of HMAC-SHA-256 with the 32 bytes
   * of the master key over the text `vedette-site/<protocol>/<siteId>` (for example `vedette-site/1/local`). A remote
   * site, which dials over TLS, sends its serial as `siteId` and a credential that it generated as `secret`.
   */
  | ({
      readonly type: 'hello';
      readonly protocol: number;
      readonly siteId: string;
      readonly secret: string;
      /** Where native clients find live streams at `rtsp://host:port/<ticket>`; absent when the site offers none. */
      readonly rtspPort?: number;
      /** The site can transcode live streams to H.264. */
      readonly canTranscode?: boolean;
    } & RemoteSiteHello)
  /** Not kept: result of the newest viewer's attempt at direct media. */
  | ({ readonly type: 'direct' } & DirectAttempt)
  | { readonly type: 'event'; readonly seq: number; readonly event: SiteEvent }
  | { readonly type: 'answer'; readonly id: number; readonly code: number; readonly data: unknown };

export type ServerToSite =
  | { readonly type: 'call'; readonly id: number; readonly name: SiteCallName; readonly input: unknown }
  | { readonly type: 'ack'; readonly seq: number };
