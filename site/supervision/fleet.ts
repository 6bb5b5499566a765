// All devices of the site: follows the assignment, starts and stops supervisors and recorders, checks broken streams.
import { SerialQueue } from '@vedette/foundation/concurrency/serial-queue.ts';
import type { DeviceAssignment, SiteEvent } from '@vedette/contract/site/site.ts';
import type { StreamQuality } from '@vedette/drivers/kit/driver.ts';
import type { DriverLog } from '@vedette/drivers/kit/driver-context.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import type { TimeRange } from '@vedette/media/recordings/gaps/track-notes.ts';
import type { SignInLimiter } from '@vedette/media/source/sign-in-limiter.ts';
import type { StreamHub } from '@vedette/media/stream/hub.ts';
import { breachReport } from './breach-report.ts';
import { ChannelStatus } from './channel-status.ts';
import { ClockStepDetector } from '../core/clock-step-detector.ts';
import { DeviceRecorders, type Upstream } from '../recording/device-recorders.ts';
import type { DeviceState } from './device-presence.ts';
import { connectionOf, DeviceSupervisor } from './device-supervisor.ts';
import type { DriverHost } from '../driver-host/driver-host.ts';
import type { DriverContexts } from '../driver-host/driver-contexts.ts';
import type { EventStatesFile } from '../state/event-states-file.ts';
import { StallDetector } from '../core/stall-detector.ts';
import type { PinnedTrust } from '../state/pinned-trust.ts';
import { newTimedId } from '@vedette/foundation/random/ids.ts';
import type { SiteStorage } from '../recording/site-storage.ts';
import { parseStreamKey, streamKey } from '../core/stream-key.ts';

export interface FleetOptions {
  readonly hub: StreamHub;
  readonly clock: Clock;
  readonly disk: Disk;
  readonly storage: SiteStorage;
  readonly driverContexts: DriverContexts;
  readonly drivers: DriverHost;
  readonly signInLimiter: SignInLimiter;
  readonly log: DriverLog;
  readonly report: (event: SiteEvent) => void;
  readonly eventStates: EventStatesFile;
  readonly pinnedTrust: PinnedTrust;
  /** Viewers of a device that left are told. */
  readonly onGone: (deviceSerial: string) => void;
  readonly keepsWarm: boolean;
}

export interface FleetDevice {
  readonly assignment: DeviceAssignment;
  readonly supervisor: DeviceSupervisor;
  readonly recorders: DeviceRecorders;
}

interface Member {
  assignment: DeviceAssignment;
  supervisor: DeviceSupervisor;
  readonly closing: AbortController;
  readonly recorders: DeviceRecorders;
  /** Leases of second streams that are kept connected. */
  warm: (() => void)[];
  readonly channelStatus: ChannelStatus;
}

const TICK_MS = 250;
/** A stream without a picture for so long does not prove its device alive. */
const DELIVERING_MS = 5000;
/** Between two knocks at one device that is away; and the least between two knocks at all, however many are. */
const PROBE_MS = 300;
const KNOCKS_APART_MS = 5;

export class Fleet {
  readonly #options: FleetOptions;
  readonly #members = new Map<string, Member>();
  readonly #clockStepDetector: ClockStepDetector;
  readonly #lateness: StallDetector;
  /** Serials of the devices that do not answer. */
  readonly #away = new Set<string>();
  #cancelTick: () => void = () => undefined;
  #ticks = 0;
  /** Changes are applied one after the other. */
  readonly #changes = new SerialQueue();

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#clockStepDetector = new ClockStepDetector(options.clock);
    this.#lateness = new StallDetector(options.clock, TICK_MS);
    this.#tick();
  }

  device(deviceSerial: string): FleetDevice | null {
    return this.#members.get(deviceSerial) ?? null;
  }

  devices(): readonly FleetDevice[] {
    return [...this.#members.values()];
  }

  /** Null when the device or the channel is not assigned here. */
  upstream(deviceSerial: string, channelNo: number, quality: StreamQuality): Upstream | null {
    const member = this.#members.get(deviceSerial);
    if (!member?.assignment.channels.some((channel) => channel.channelNo === channelNo)) return null;
    const nearest = member.supervisor.nearestQuality(channelNo, quality);
    return {
      streamKey: streamKey(deviceSerial, channelNo, nearest),
      // The supervisor of the moment of opening: a stream may be opened long after it was named.
      open: (consumer) => {
        const current = this.#members.get(deviceSerial) ?? member;
        return current.supervisor.open(channelNo, nearest)(consumer);
      },
    };
  }

  /** To a server that may know nothing of us any more: each device as it stands, even where nothing has changed. */
  publishAll(): void {
    const { clock, report } = this.#options;
    for (const [deviceSerial, { supervisor, channelStatus }] of this.#members) {
      const { status, reason } = supervisor.state;
      if (status !== -1) report({ kind: 'deviceStatus', deviceSerial, status, reason, at: clock.wallMs() });
      channelStatus.forget();
    }
    this.#publishChannels();
  }

  replaceAll(devices: readonly DeviceAssignment[]): Promise<void> {
    return this.#enqueue(async () => {
      const named = new Set(devices.map((device) => device.deviceSerial));
      for (const serial of this.#members.keys()) if (!named.has(serial)) await this.#release(serial);
      for (const device of devices) await this.#apply(device);
    });
  }

  replaceOne(deviceSerial: string, assignment: DeviceAssignment | null): Promise<void> {
    return this.#enqueue(() => (assignment ? this.#apply(assignment) : this.#release(deviceSerial)));
  }

  /** Recorders let go of their files; `resumeRecording` starts them on the storage of then. */
  pauseRecording(): Promise<void> {
    return this.#enqueue(async () => {
      await Promise.all([...this.#members.values()].map((member) => member.recorders.stop()));
    });
  }

  resumeRecording(): Promise<void> {
    return this.#enqueue(async () => {
      for (const { recorders, assignment } of this.#members.values()) await recorders.follow(assignment);
    });
  }

  async close(): Promise<void> {
    this.#cancelTick();
    await this.#enqueue(async () => {
      await Promise.all([...this.#members.keys()].map((serial) => this.#remove(serial)));
    });
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#changes.run(work);
    done.catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'a change of the assignment failed');
    });
    return done;
  }

  async #apply(assignment: DeviceAssignment): Promise<void> {
    const member = this.#members.get(assignment.deviceSerial);
    if (!member) {
      this.#add(assignment);
    } else if (connectionOf(member.assignment) !== connectionOf(assignment)) {
      await this.#reconnect(member, assignment);
    } else {
      member.assignment = assignment;
    }
    const current = this.#members.get(assignment.deviceSerial);
    await current?.recorders.follow(current.assignment);
  }

  #add(assignment: DeviceAssignment): void {
    const closing = new AbortController();
    const supervisor = this.#supervise(assignment, closing);
    if (!supervisor) return;
    const { deviceSerial } = assignment;
    const { clock, report } = this.#options;
    const recorders = new DeviceRecorders({
      ...this.#options,
      deviceSerial,
      upstream: (channelNo, quality) => this.upstream(deviceSerial, channelNo, quality),
      offers: (channelNo, quality) => this.#offers(deviceSerial, channelNo, quality),
      isOffline: () => this.#members.get(deviceSerial)?.supervisor.state.status === 0,
    });
    const channelStatus = new ChannelStatus({ deviceSerial, clock, report });
    this.#members.set(deviceSerial, { assignment, supervisor, closing, recorders, warm: [], channelStatus });
    supervisor.start();
  }

  /** Another address or password: viewers and recorders stay, their streams get another upstream. */
  async #reconnect(member: Member, assignment: DeviceAssignment): Promise<void> {
    const { hub } = this.#options;
    const closing = new AbortController();
    const supervisor = this.#supervise(assignment, closing);
    if (!supervisor) return;
    const old = member.supervisor;
    this.#members.set(assignment.deviceSerial, { ...member, assignment, supervisor, closing });
    for (const stream of hub.streams()) {
      const parsed = parseStreamKey(stream.key);
      if (parsed?.deviceSerial !== assignment.deviceSerial) continue;
      await hub.replace(stream.key, supervisor.open(parsed.channelNo, parsed.quality));
    }
    member.closing.abort();
    await old.close();
    supervisor.start();
  }

  #supervise(assignment: DeviceAssignment, closing: AbortController): DeviceSupervisor | null {
    const { deviceSerial, user, password, native, isOperatorAddress } = assignment;
    const { log, driverContexts, drivers, clock, signInLimiter, report } = this.#options;
    const onHarm = breachReport({ deviceSerial, clock, log, report });
    const trust = this.#options.pinnedTrust.of(assignment, onHarm);
    const context = driverContexts.context(isOperatorAddress, closing.signal, trust);
    const credentials = user === '' && password === '' ? null : { user, password, schemes: trust };
    const asked = drivers.context({
      name: deviceSerial,
      isOperator: isOperatorAddress,
      trust,
      signal: closing.signal,
      onQuarantined: () => {
        onHarm('misbehaving');
        this.#members.get(deviceSerial)?.supervisor.poke();
      },
    });
    const driver = asked.open(assignment.driver, native, credentials);
    if (!driver) {
      log.warn({ deviceSerial, driver: assignment.driver }, 'no such driver in this version');
      return null;
    }
    return new DeviceSupervisor({
      deviceSerial,
      driver,
      trust,
      context,
      clock,
      signInLimiter,
      log,
      isDelivering: () => this.#isDelivering(deviceSerial),
      probeEveryMs: () => Math.max(PROBE_MS, this.#away.size * KNOCKS_APART_MS),
      onState: ({ status, reason }: DeviceState) => {
        if (status === 0) this.#away.add(deviceSerial);
        else this.#away.delete(deviceSerial);
        report({ kind: 'deviceStatus', deviceSerial, status, reason, at: clock.wallMs() });
        this.#publishChannels();
      },
      onReturned: () => {
        for (const stream of this.#streamsOf(deviceSerial))
          if (stream.currentState.state === 'failed') stream.retryNow();
      },
      onDescribed: () => this.#warmUp(deviceSerial),
      memory: this.#options.eventStates.of(deviceSerial),
      onEvent: (event) => report({ kind: 'deviceEvent', deviceSerial, eventId: newTimedId(event.at), ...event }),
    });
  }

  /** For good. */
  async #release(deviceSerial: string): Promise<void> {
    await this.#remove(deviceSerial);
    this.#options.eventStates.forget(deviceSerial);
    this.#options.pinnedTrust.forget(deviceSerial);
  }

  async #remove(deviceSerial: string): Promise<void> {
    const member = this.#members.get(deviceSerial);
    if (!member) return;
    this.#members.delete(deviceSerial);
    this.#away.delete(deviceSerial);
    this.#options.onGone(deviceSerial);
    for (const release of member.warm) release();
    await member.recorders.stop();
    member.closing.abort();
    await member.supervisor.close();
  }

  #warmUp(deviceSerial: string): void {
    const member = this.#members.get(deviceSerial);
    if (!member || !this.#options.keepsWarm) return;
    for (const release of member.warm) release();
    member.warm = member.assignment.channels.flatMap(({ channelNo }) => {
      const upstream = this.upstream(deviceSerial, channelNo, 1);
      if (!upstream) return [];
      const lease = this.#options.hub.acquire(upstream.streamKey, upstream.open);
      return [() => lease.release()];
    });
  }

  #offers(deviceSerial: string, channelNo: number, quality: StreamQuality): boolean {
    const description = this.#members.get(deviceSerial)?.supervisor.description;
    const channel = description?.channels.find((one) => one.channelNo === channelNo);
    return channel?.streams.some((stream) => stream.quality === quality) ?? false;
  }

  #streamsOf(deviceSerial: string) {
    return this.#options.hub.streams().filter((stream) => stream.key.startsWith(`${deviceSerial}/`));
  }

  #isDelivering(deviceSerial: string): boolean {
    const now = this.#options.clock.monotonicMs();
    return this.#streamsOf(deviceSerial).some(
      // Of a line that broke it proves nothing that it brought pictures a moment ago.
      ({ currentState, lastVideoMs }) =>
        currentState.state === 'playing' && lastVideoMs !== null && now - lastVideoMs < DELIVERING_MS,
    );
  }

  #tick(): void {
    this.#cancelTick = this.#options.clock.after(TICK_MS, () => {
      const stepMs = this.#clockStepDetector.check();
      const lateMs = this.#lateness.check();
      for (const { recorders } of this.#members.values()) {
        if (stepMs > 0) recorders.noteAll({ kind: 'clockStep', ...this.#skipped(stepMs) });
        recorders.tick(lateMs);
      }
      this.#ticks += 1;
      this.#checkBroken();
      if (this.#ticks % 4 === 0) this.#publishChannels();
      this.#tick();
    });
  }

  #skipped(stepMs: number): TimeRange {
    const endMs = this.#options.clock.wallMs();
    return { startMs: endMs - stepMs, endMs };
  }

  #checkBroken(): void {
    for (const { key, currentState } of this.#options.hub.streams()) {
      if (currentState.state !== 'failed') continue;
      const deviceSerial = parseStreamKey(key)?.deviceSerial ?? '';
      const supervisor = this.#members.get(deviceSerial)?.supervisor;
      if (supervisor?.state.status === 1 && !this.#isDelivering(deviceSerial)) supervisor.poke();
    }
  }

  #publishChannels(): void {
    for (const { assignment, supervisor, recorders, channelStatus } of this.#members.values()) {
      channelStatus.publish(assignment.channels, supervisor.state, (channelNo) => recorders.isRecording(channelNo));
    }
  }
}
