// All devices of the site: follows the assignment, starts and stops supervisors and recorders, checks broken streams.
import { SerialQueue } from '@vedette/foundation/concurrency/serial-queue.ts';
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import type { StreamQuality } from '@vedette/drivers/kit/driver.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import type { TimeRange } from '@vedette/media/recordings/gaps/track-notes.ts';
import type { StreamHub } from '@vedette/media/stream/hub.ts';
import { ChannelStatus } from './channel-status.ts';
import { ClockStepDetector } from '../core/clock-step-detector.ts';
import { DeviceRecorders, type Upstream } from '../recording/device-recorders.ts';
import type { DeviceState } from './device-presence.ts';
import { DeviceStreams } from './device-streams.ts';
import type { DeviceSupervisor } from './device-supervisor.ts';
import { EMPTY_FLEET, type FleetEffect, type FleetEvent, fleetStep, withdrawnBy } from './fleet-step.ts';
import { openSupervisor, type OpenSupervisorOptions, type Supervised } from './open-supervisor.ts';
import { StallDetector } from '../core/stall-detector.ts';
import type { SiteStorage } from '../recording/site-storage.ts';
import { streamKey } from '../core/stream-key.ts';

export interface FleetOptions extends OpenSupervisorOptions {
  readonly hub: StreamHub;
  readonly disk: Disk;
  readonly storage: SiteStorage;
  /** Ends the sessions of viewers of a device that was withdrawn. */
  readonly onGone: (deviceSerial: string) => void;
  readonly keepsWarm: boolean;
}

export interface FleetDevice {
  readonly assignment: DeviceAssignment;
  readonly supervisor: DeviceSupervisor;
  readonly recorders: DeviceRecorders;
}

interface Member extends Supervised {
  assignment: DeviceAssignment;
  readonly recorders: DeviceRecorders;
  /** Leases of second streams that are kept connected. */
  warm: (() => void)[];
  readonly channelStatus: ChannelStatus;
}

const TICK_MS = 250;
/** Between two probes of one device that is away; and the least between two probes at all, however many devices are. */
const PROBE_MS = 300;
const PROBES_APART_MS = 5;

export class Fleet {
  readonly #options: FleetOptions;
  #state = EMPTY_FLEET;
  readonly #streams: DeviceStreams;
  readonly #members = new Map<string, Member>();
  readonly #clockStepDetector: ClockStepDetector;
  readonly #stallDetector: StallDetector;
  /** Serials of the devices that do not answer. */
  readonly #away = new Set<string>();
  #cancelTick: () => void = () => undefined;
  #ticks = 0;
  /** Changes are applied one after the other. */
  readonly #changes = new SerialQueue();

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#streams = new DeviceStreams(options);
    this.#clockStepDetector = new ClockStepDetector(options.clock);
    this.#stallDetector = new StallDetector(options.clock, TICK_MS);
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

  /** For a server that may not know the state of this site any more: each device, even where nothing has changed. */
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
      for (const serial of withdrawnBy(this.#state, devices))
        await this.#step({ type: 'withdrawn', deviceSerial: serial });
      for (const assignment of devices) await this.#step({ type: 'assigned', assignment });
    });
  }

  replaceOne(deviceSerial: string, assignment: DeviceAssignment | null): Promise<void> {
    return this.#enqueue(() =>
      this.#step(assignment ? { type: 'assigned', assignment } : { type: 'withdrawn', deviceSerial }),
    );
  }

  /** Recorders close their files; `resumeRecording` starts them on the storage of that moment. */
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
      const { state, effects } = fleetStep<Supervised>(this.#state, { type: 'closed' });
      this.#state = state;
      await Promise.all(effects.map((effect) => this.#perform(effect)));
    });
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#changes.run(work);
    done.catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'a change of the assignment failed');
    });
    return done;
  }

  async #step(event: FleetEvent<Supervised>): Promise<void> {
    const { state, effects } = fleetStep(this.#state, event);
    this.#state = state;
    for (const effect of effects) await this.#perform(effect);
  }

  async #perform(effect: FleetEffect<Supervised>): Promise<void> {
    switch (effect.kind) {
      case 'open':
        return await this.#open(effect.assignment);
      case 'start':
        return this.#start(effect.assignment, effect.opened);
      case 'exchange':
        return await this.#exchange(effect.assignment, effect.opened);
      case 'follow':
        return await this.#follow(effect.assignment);
      case 'stop':
        return await this.#stop(effect.deviceSerial);
      case 'forget':
        this.#options.eventStates.forget(effect.deviceSerial);
        this.#options.pinnedTrust.forget(effect.deviceSerial);
    }
  }

  async #open(assignment: DeviceAssignment): Promise<void> {
    const { deviceSerial } = assignment;
    try {
      const opened = this.#supervise(assignment);
      await this.#step(opened ? { type: 'opened', deviceSerial, opened } : { type: 'not-opened', deviceSerial });
    } catch (error) {
      await this.#step({ type: 'not-opened', deviceSerial });
      throw error;
    }
  }

  #start(assignment: DeviceAssignment, { supervisor, closing }: Supervised): void {
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

  /** Another address or password: the streams of viewers and recorders get another upstream. */
  async #exchange(assignment: DeviceAssignment, { supervisor, closing }: Supervised): Promise<void> {
    const member = this.#member(assignment.deviceSerial);
    this.#members.set(assignment.deviceSerial, { ...member, assignment, supervisor, closing });
    await this.#streams.exchange(assignment.deviceSerial, (channelNo, quality) => supervisor.open(channelNo, quality));
    member.closing.abort();
    await member.supervisor.close();
    supervisor.start();
  }

  async #follow(assignment: DeviceAssignment): Promise<void> {
    const member = this.#member(assignment.deviceSerial);
    member.assignment = assignment;
    await member.recorders.follow(assignment);
  }

  async #stop(deviceSerial: string): Promise<void> {
    const member = this.#member(deviceSerial);
    this.#members.delete(deviceSerial);
    this.#away.delete(deviceSerial);
    this.#options.onGone(deviceSerial);
    for (const release of member.warm) release();
    await member.recorders.stop();
    member.closing.abort();
    await this.#streams.end(deviceSerial);
    await member.supervisor.close();
  }

  #member(deviceSerial: string): Member {
    const member = this.#members.get(deviceSerial);
    if (!member) throw new TypeError(`device ${deviceSerial} does not run`);
    return member;
  }

  #supervise(assignment: DeviceAssignment): Supervised | null {
    const { deviceSerial } = assignment;
    const { clock, report } = this.#options;
    return openSupervisor(assignment, this.#options, {
      isDelivering: () => this.#streams.isDelivering(deviceSerial),
      probeEveryMs: () => Math.max(PROBE_MS, this.#away.size * PROBES_APART_MS),
      onState: ({ status, reason }: DeviceState) => {
        if (status === 0) this.#away.add(deviceSerial);
        else this.#away.delete(deviceSerial);
        report({ kind: 'deviceStatus', deviceSerial, status, reason, at: clock.wallMs() });
        this.#publishChannels();
      },
      onReturned: () => this.#streams.retryFailed(deviceSerial),
      onDescribed: () => this.#warmUp(deviceSerial),
      onQuarantined: () => this.#members.get(deviceSerial)?.supervisor.poke(),
    });
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

  #tick(): void {
    this.#cancelTick = this.#options.clock.after(TICK_MS, () => {
      const stepMs = this.#clockStepDetector.check();
      const lateMs = this.#stallDetector.check();
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
    for (const deviceSerial of this.#streams.failed()) {
      const supervisor = this.#members.get(deviceSerial)?.supervisor;
      if (supervisor?.state.status === 1 && !this.#streams.isDelivering(deviceSerial)) supervisor.poke();
    }
  }

  #publishChannels(): void {
    for (const { assignment, supervisor, recorders, channelStatus } of this.#members.values()) {
      channelStatus.publish(assignment.channels, supervisor.state, (channelNo) => recorders.isRecording(channelNo));
    }
  }
}
