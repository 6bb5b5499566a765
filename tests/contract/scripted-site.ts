// A site with scripted answers that records what it was sent, for tests about the server.
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type {
  DeviceAssignment,
  DeviceEventReport,
  RecordedSpan,
  RecordingGap,
  ServerToSite,
  SiteCallName,
  SiteCalls,
  SiteCandidate,
  SiteEvent,
  SiteHealth,
  SiteSettings,
  StorageHealth,
  TicketGrant,
} from '@vedette/contract/site/site.ts';
import type { DeviceSpan } from '@vedette/contract/site/site-device-recordings.ts';
import type { ChannelUse } from '@vedette/contract/site/site-storage-use.ts';
import type { SitePush } from '@vedette/contract/site/site-cdn.ts';
import type { StoreReason } from '@vedette/contract/enumerations.ts';
import type { CloudBacklog, ObjectStoreAccess } from '@vedette/contract/site/site-cloud.ts';
import type { SiteConfigState } from '@vedette/contract/site/site-config.ts';
import type { SiteFound } from '@vedette/contract/site/site-scan.ts';
import type { ExportOrder, SiteExport } from '@vedette/contract/site/site-export.ts';
import type { WebSocket } from 'ws';
import { candidateAt } from './candidate-at.ts';
import { waitFor } from '../harness/wait-for.ts';
import { ScriptedPtz } from './scripted-ptz.ts';
import { ScriptedReplay } from './scripted-replay.ts';
import { ScriptedFirmware } from './scripted-firmware.ts';
import { finishedExport, storageHealth } from './scripted-storage.ts';
import type { ServerUnderTest } from './server-under-test.ts';

/** What the script answers instead of success. */
export interface ScriptedRefusal {
  readonly code: number;
  readonly data: unknown;
}

export interface RevokedTicket {
  readonly ticketId: string;
  readonly code: number;
  readonly at: number;
}

/** What a remote site is known by; its code counts once. */
export interface FarHello {
  readonly siteId: string;
  readonly code: string;
}

export const SCRIPTED_RTSP_PORT = 8554;

const imageState: SiteConfigState = {
  section: 'image',
  value: { brightness: 50 },
  version: 'v1',
  capabilities: { brightness: { min: 0, max: 100 } },
};

export class ScriptedSite {
  readonly assigned = new Map<string, DeviceAssignment>();
  readonly removedRecordings: string[] = [];
  readonly tickets = new Map<string, TicketGrant>();
  readonly revoked: RevokedTicket[] = [];
  readonly refusals = new Map<SiteCallName, ScriptedRefusal>();
  /** Calls that are never answered. */
  readonly silent = new Set<SiteCallName>();
  /** Those of them that came. */
  readonly unanswered: SiteCallName[] = [];
  readonly acknowledged: number[] = [];
  /** Names of the calls that came. */
  readonly heard: SiteCallName[] = [];
  /** What it was asked to look at, with the credentials. */
  readonly probed: { readonly target: string; readonly user: string; readonly password: string }[] = [];
  /** By host, where a device says something else of itself than `candidateAt`. */
  readonly candidateOverrides = new Map<string, Partial<SiteCandidate>>();
  /** Devices that do not let us in with what is stored of them. */
  readonly shutOut = new Set<string>();
  /** Devices that were asked whether they do. */
  readonly asked: string[] = [];
  spans: readonly RecordedSpan[] = [];
  gaps: readonly RecordingGap[] = [];
  /** The keyframe that shows the start of what is asked for. */
  keyMs: number | null = null;
  /** On the devices' own storage; null: they keep none. */
  deviceSpans: readonly DeviceSpan[] | null = null;
  deviceDays: readonly string[] = [];
  /** What it sees; null: nothing. */
  snapshot: { readonly contentType: string; readonly data: string } | null = null;
  readonly triggered: SiteCalls['trigger']['input'][] = [];
  days: readonly string[] = [];
  /** Whose recordings are on these days; absent: of every stream. */
  daysOfQuality: number | null = null;
  settings: SiteSettings | null = null;
  readonly scans: SiteCalls['scanStart']['input'][] = [];
  readonly endedScans: string[] = [];
  found: readonly SiteFound[] = [];
  readonly exports = new Map<string, SiteExport>();
  readonly exportOrders: ExportOrder[] = [];
  readonly endedExports: { readonly taskId: string; readonly code: number }[] = [];
  /** What is wrong with its disk; null: nothing. */
  storage: Partial<StorageHealth> | null = null;
  streams: SiteHealth['streams'] = [];
  channelUses: readonly ChannelUse[] = [];
  storeProbe: SiteCalls['storeProbe']['output'] = { step: null, reason: null };
  cloudBacklogs: readonly CloudBacklog[] = [];
  /** Of the server, by name; `storeReason`: why the store takes and gives none now. */
  readonly objects = new Map<string, string>();
  storeReason: StoreReason | null = null;
  /** Of stores that take nothing. */
  readonly awayStores = new Set<string>();
  analysisStatus: SiteCalls['analysisStatus']['output'] = {
    state: 'running',
    fault: null,
    models: [],
    msPerPicture: null,
    usedPercent: 0,
    capPercent: 50,
    roomFor: null,
    channels: [],
  };
  /** Pushes that it was told to start, with what they are told of. */
  pushes: SitePush[] = [];
  readonly pushOrders: SiteCalls['pushStart']['input'][] = [];
  readonly originOrders: SiteCalls['originStart']['input'][] = [];
  pushProbe: SiteCalls['pushProbe']['output'] = { reason: null };
  readonly probes: SiteCalls['pushProbe']['input'][] = [];
  readonly probedStores: ObjectStoreAccess[] = [];
  readonly ptz = new ScriptedPtz();
  readonly replay = new ScriptedReplay();
  configState: SiteConfigState = imageState;
  readonly firmware = new ScriptedFirmware();
  #socket: WebSocket;
  #seq = 0;

  /** The line is no more, whoever ended it. */
  readonly closed: Promise<unknown>;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => socket.once('close', resolve));
  }

  /** Ready once the server has handed over its assignment. */
  static async dial(server: ServerUnderTest, earlier?: ScriptedSite): Promise<ScriptedSite> {
    const socket = server.webSocket('/site');
    const site = new ScriptedSite(socket);
    for (const [id, grant] of earlier?.tickets ?? []) site.tickets.set(id, grant);
    socket.on('message', (raw: Buffer) => site.#receive(JSON.parse(raw.toString('utf8')) as ServerToSite));
    await once(socket, 'open');
    const secret = createHmac('sha256', Buffer.from(server.masterKey, 'hex'))
      .update('vedette-site/1/local')
      .digest('hex');
    const offers = { rtspPort: SCRIPTED_RTSP_PORT, canTranscode: true };
    socket.send(JSON.stringify({ type: 'hello', protocol: 1, siteId: 'local', secret, ...offers }));
    let isClosed = false;
    void site.closed.then(() => {
      isClosed = true;
    });
    await waitFor('the server to know its site', async () => {
      if (isClosed) return true;
      const { body } = await server.send({ path: '/metrics' });
      return body.includes('vedette_site_online{site="local"} 1') && site.settings !== null;
    });
    if (isClosed) throw new Error('the server let the site go');
    return site;
  }

  /** As a remote site, which has enrolled once it gave its code. */
  static async dialFar(server: ServerUnderTest, named: FarHello, earlier?: ScriptedSite): Promise<ScriptedSite> {
    const outside = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https', 'x-vedette-loopback': '0' };
    const socket = server.webSocket('/site', outside);
    const site = new ScriptedSite(socket);
    for (const [id, grant] of earlier?.tickets ?? []) site.tickets.set(id, grant);
    socket.on('message', (raw: Buffer) => site.#receive(JSON.parse(raw.toString('utf8')) as ServerToSite));
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'hello', protocol: 1, secret: 'h'.repeat(43), version: '9.9', ...named }));
    await waitFor('the assignment of the far site', () => site.settings !== null);
    return site;
  }

  /** How often it was asked that. */
  asks(name: SiteCallName): number {
    return this.heard.filter((one) => one === name).length;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  async hangUp(): Promise<void> {
    const closed = once(this.#socket, 'close');
    this.#socket.close();
    await closed;
  }

  report(event: SiteEvent): number {
    this.#seq += 1;
    this.#socket.send(JSON.stringify({ type: 'event', seq: this.#seq, event }));
    return this.#seq;
  }

  /** A device's event with what is usual filled in; resolves when the server has acknowledged it. */
  async reportEvent(
    deviceSerial: string,
    event: Partial<DeviceEventReport> & { readonly topic: string },
  ): Promise<void> {
    await this.reportStored(deviceEvent(deviceSerial, { phase: 'start', ...event }));
  }

  /** Resolves when the server has acknowledged it. */
  async reportStored(event: SiteEvent): Promise<void> {
    const seq = this.report(event);
    await waitFor(`event ${seq} to be stored`, () => this.acknowledged.some((acknowledged) => acknowledged >= seq));
  }

  /** Tickets that are open for an account. */
  ticketsOf(userId: string): TicketGrant[] {
    return [...this.tickets.values()].filter((grant) => grant.userId === userId);
  }

  #receive(message: ServerToSite): void {
    if (message.type === 'ack') {
      this.acknowledged.push(message.seq);
      return;
    }
    this.heard.push(message.name);
    if (this.silent.has(message.name)) {
      this.unanswered.push(message.name);
      return;
    }
    const refusal = this.refusals.get(message.name) ?? this.#unsupported(message.name) ?? this.#shut(message);
    const answer = refusal ?? { code: 200, data: this.#answer(message.name, message.input as never) };
    this.#socket.send(JSON.stringify({ type: 'answer', id: message.id, ...answer }));
  }

  #answer(name: SiteCallName, input: never): unknown {
    const answers: Record<SiteCallName, (given: never) => unknown> = {
      assign: (given: { devices: readonly DeviceAssignment[]; settings: SiteSettings }) => {
        this.assigned.clear();
        for (const device of given.devices) this.assigned.set(device.deviceSerial, device);
        this.settings = given.settings;
        return {};
      },
      assignOne: (given: {
        deviceSerial: string;
        assignment: DeviceAssignment | null;
        deleteRecordings: readonly string[];
      }) => {
        if (given.assignment === null) this.assigned.delete(given.deviceSerial);
        else this.assigned.set(given.deviceSerial, given.assignment);
        this.removedRecordings.push(...given.deleteRecordings);
        return {};
      },
      settings: (given: SiteSettings) => {
        this.settings = given;
        return { storage: storageHealth(given.storage.folder) };
      },
      ticket: (given: { grants: readonly TicketGrant[] }) => {
        for (const grant of given.grants) this.tickets.set(grant.ticketId, grant);
        return {};
      },
      revoke: (given: { ticketIds: readonly string[]; code: number }) => ({ closed: this.#revoke(given) }),
      tickets: () => ({ ticketIds: [...this.tickets.keys()] }),
      probe: (given: { target: string; user: string; password: string }) => {
        this.probed.push(given);
        return { ...candidateAt(given.target), ...this.candidateOverrides.get(new URL(given.target).host) };
      },
      admits: () => ({}),
      uplinks: () => ({}),
      uplink: () => ({}),
      keyframe: () => ({}),
      reboot: () => ({}),
      ...this.#scanAnswers(),
      talk: () => ({ codec: 'pcma' }),
      ...this.ptz.answers,
      configSections: () => ({ sections: ['image'] }),
      configRead: () => this.configState,
      configWrite: () => ({ ...this.configState, differing: [] }),
      ...this.firmware.answers,
      streams: () => ({ streams: candidateAt('rtsp://192.0.2.1/any').channels[0]?.streams ?? [] }),
      capabilities: () => ({ capabilities: ['ptz'] }),
      recordings: ({ asksKey }: SiteCalls['recordings']['input']) => ({
        spans: this.spans,
        gaps: this.gaps,
        ...(asksKey === true && { keyMs: this.keyMs }),
      }),
      deviceRecordings: ({ startTime, endTime }: SiteCalls['deviceRecordings']['input']) => ({
        spans: (this.deviceSpans ?? [])
          .filter((span) => span.endTime > startTime && span.startTime < endTime)
          .map((span) => ({
            startTime: Math.max(startTime, span.startTime),
            endTime: Math.min(endTime, span.endTime),
          })),
      }),
      deviceRecordingDays: () => ({ days: this.deviceDays }),
      trigger: (given: SiteCalls['trigger']['input']) => {
        this.triggered.push(given);
        return {};
      },
      picture: ({ at }: SiteCalls['picture']['input']) => ({
        picture: this.snapshot === null ? null : { ...this.snapshot, at: at ?? Date.now() },
      }),
      recordingDays: (given: SiteCalls['recordingDays']['input']) => ({
        days: this.daysOfQuality === null || this.daysOfQuality === given.quality ? this.days : [],
      }),
      ...this.#exportAnswers(),
      storageUse: () => ({ channels: this.channelUses }),
      storeProbe: (given: SiteCalls['storeProbe']['input']) => {
        this.probedStores.push(given.store);
        return this.storeProbe;
      },
      analysisStatus: () => this.analysisStatus,
      ...this.#cdnAnswers(),
      cloudBacklog: () => ({ channels: this.cloudBacklogs }),
      ...this.#objectAnswers(),
      health: () => ({
        storage: { ...storageHealth(this.settings?.storage.folder ?? '/'), ...this.storage },
        streams: this.streams,
      }),
    };
    return answers[name](input);
  }

  #shut({ name, input }: Extract<ServerToSite, { type: 'call' }>): ScriptedRefusal | undefined {
    if (name !== 'admits') return undefined;
    const { deviceSerial } = input as SiteCalls['admits']['input'];
    this.asked.push(deviceSerial);
    if (!this.assigned.has(deviceSerial)) return { code: 1009, data: null };
    return this.shutOut.has(deviceSerial) ? { code: 2316, data: { reason: 'deviceAuth' } } : undefined;
  }

  #unsupported(name: SiteCallName): ScriptedRefusal | undefined {
    const isMissing = this.deviceSpans === null && name.startsWith('deviceRecording');
    return isMissing ? { code: 1006, data: null } : undefined;
  }

  #scanAnswers() {
    return {
      scanStart: (given: SiteCalls['scanStart']['input']) => {
        this.scans.push(given);
        return { scanId: `scan-${this.scans.length}` };
      },
      scanRead: () => ({ version: this.found.length, isDone: true, checked: 0, total: 0, found: this.found }),
      scanEnd: ({ scanId }: SiteCalls['scanEnd']['input']) => {
        this.endedScans.push(scanId);
        return {};
      },
    };
  }

  #objectAnswers() {
    return {
      objectPut: ({ storeId, name, data }: SiteCalls['objectPut']['input']) => {
        if (this.awayStores.has(storeId)) return { reason: 'unreachable' };
        if (this.storeReason === null) this.objects.set(name, data);
        return { reason: this.storeReason };
      },
      objectGet: ({ name }: SiteCalls['objectGet']['input']) => ({
        data: this.storeReason === null ? (this.objects.get(name) ?? null) : null,
        reason: this.storeReason,
      }),
      objectDelete: ({ name }: SiteCalls['objectDelete']['input']) => {
        if (this.storeReason === null) this.objects.delete(name);
        return { reason: this.storeReason };
      },
    };
  }

  #cdnAnswers() {
    const begun = { state: 'starting', since: Date.now(), reason: null, bitsPerSecond: 0, sentBytes: 0 } as const;
    return {
      pushStart: (order: SiteCalls['pushStart']['input']) => {
        this.pushOrders.push(order);
        this.pushes.push({ liveId: order.liveId, ...begun });
        return {};
      },
      originStart: (order: SiteCalls['originStart']['input']) => {
        this.originOrders.push(order);
        this.pushes.push({ liveId: order.liveId, ...begun });
        return {};
      },
      pushStop: ({ liveId }: SiteCalls['pushStop']['input']) => {
        this.pushes = this.pushes.filter((push) => push.liveId !== liveId);
        return {};
      },
      pushes: () => ({ pushes: this.pushes }),
      ...this.replay.answers,
      pushProbe: (probe: SiteCalls['pushProbe']['input']) => {
        this.probes.push(probe);
        return this.pushProbe;
      },
    };
  }

  #exportAnswers() {
    return {
      exportStart: (order: ExportOrder) => {
        this.exportOrders.push(order);
        this.exports.set(order.taskId, finishedExport(order.taskId));
        return {};
      },
      exportStatus: ({ taskIds }: SiteCalls['exportStatus']['input']) => ({
        exports: [...this.exports.values()].filter(({ taskId }) => taskIds?.includes(taskId) ?? true),
      }),
      exportEnd: ({ taskIds, code }: SiteCalls['exportEnd']['input']) => {
        for (const taskId of taskIds) if (this.exports.delete(taskId)) this.endedExports.push({ taskId, code });
        return {};
      },
      exportEstimate: () => ({ bytes: 1000, recordedMs: 60_000, availableBytes: 1e9 }),
    };
  }

  #revoke({ ticketIds, code }: { ticketIds: readonly string[]; code: number }): number {
    const open = ticketIds.filter((ticketId) => this.tickets.delete(ticketId));
    for (const ticketId of ticketIds) this.revoked.push({ ticketId, code, at: Date.now() });
    return open.length;
  }
}

/** A device's event with what is usual filled in. */
export function deviceEvent(
  deviceSerial: string,
  event: Partial<DeviceEventReport> & { readonly topic: string },
): DeviceEventReport {
  const usual = { phase: 'pulse', channelNo: 1, key: '', deviceAt: null, source: {}, data: {} } as const;
  return { kind: 'deviceEvent', deviceSerial, eventId: randomUUID(), at: Date.now(), ...usual, ...event };
}

/** Health of a main stream that runs now. */
export function playing(deviceSerial: string) {
  return {
    deviceSerial,
    channelNo: 1,
    quality: 0,
    state: 'playing',
    reason: null,
    get lastFrameAt() {
      return Date.now();
    },
    counters: {},
  };
}
