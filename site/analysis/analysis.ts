// Edge intelligence of this site: the tasks of its channels, the analyst that looks at their frames, and what that costs.
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import type { AnalysisCalls, AnalysisModel, AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import { OBJECT_CLASSES, type ObjectClass } from '@vedette/contract/enumerations.ts';
import { errorMessage } from '@vedette/foundation/errors/error-message.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { CodecWorker } from '@vedette/media/codec/codec-worker.ts';
import type { StartFfmpeg } from '@vedette/media/codec/ffmpeg-process.ts';
import type { StreamHub } from '@vedette/media/stream/hub.ts';
import type { Detection } from '@vedette/rules/scene/detection/detection.ts';
import type { Logger } from 'pino';
import { readDescription } from '../analyst/model-file.ts';
import type { EventSpool } from '../state/event-spool.ts';
import type { Look, SeenLog } from '../state/seen-log.ts';
import type { Fleet } from '../supervision/fleet.ts';
import { isRuntimeInstalled, MODEL_FOLDER } from './analyst-place.ts';
import { AnalystPool, USUAL_MODEL } from './analyst-pool.ts';
import { AnalystGone } from './analyst-process.ts';
import { ChannelAnalysis } from './channel-analysis.ts';
import { TrackFollowers } from './live-tracks.ts';
import { CAP_PERCENT, MachineShare } from './machine-share.ts';
import { MeteredFfmpeg } from './metered-ffmpeg.ts';
import { FrameQueue, type WaitingFrame } from './frame-queue.ts';
import { knownClasses } from './known-classes.ts';
import { ModelCatalog } from './model-catalog.ts';
import { roomFor } from './room.ts';
import { SpareFrames } from './spare-frames.ts';
import { spawnAnalyst } from './spawn-analyst.ts';

export interface AnalysisOptions {
  readonly hub: StreamHub;
  readonly fleet: Pick<Fleet, 'upstream'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly spool: EventSpool;
  readonly seenLog: Pick<SeenLog, 'look'>;
  /** Null: nothing can be decoded. */
  readonly ffmpeg: StartFfmpeg | null;
  readonly runtimeFolder: string;
  /** Of the operator's own models. */
  readonly modelFolder: string;
}

const TICK_MS = 250;
const LOOK_FOR_RUNTIME_MS = 5000;
/** Events in the spool beyond which frames are left out: they are kept in memory until the server has them. */
const PICTURED_MAX = 200;

interface Watched {
  /** Its orders as text, to tell a change. */
  readonly text: string;
  /** That all its tasks use. */
  readonly model: string;
  readonly analysis: ChannelAnalysis;
}

export class Analysis {
  readonly #options: AnalysisOptions;
  readonly #codec: CodecWorker;
  readonly #analysts: AnalystPool;
  readonly #catalog: ModelCatalog;
  #builtIn: AnalysisModel | null = null;
  readonly #queue = new FrameQueue();
  readonly #channels = new Map<string, Watched>();
  readonly followers = new TrackFollowers((channelId) => this.#channels.get(channelId)?.analysis.tracksNow ?? null);
  /** Of recordings: only when no live frame waits. */
  readonly spare = new SpareFrames(() => this.#spareChanged());
  readonly #processors = availableParallelism();
  readonly #share = new MachineShare(this.#processors);
  /** Of live video. */
  readonly #ffmpeg: MeteredFfmpeg | null;
  #msPerPicture: number | null = null;
  #isInstalled = false;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #cancelTick: () => void = () => undefined;
  #cancelPause: () => void = () => undefined;

  constructor(options: AnalysisOptions) {
    this.#options = options;
    const { clock, log, ffmpeg, runtimeFolder } = options;
    const spent = (cpuMs: number) => this.#share.spentOnDecoding(clock.monotonicMs(), cpuMs);
    this.#ffmpeg = ffmpeg && new MeteredFfmpeg(ffmpeg, spent);
    this.#codec = new CodecWorker({ start: this.#ffmpeg && this.#ffmpeg.start, clock, decoders: 1 });
    const shared = { clock, log, spawn: spawnAnalyst, runtimeFolder };
    this.#catalog = new ModelCatalog({ ...shared, folder: options.modelFolder, builtIn: [basename(MODEL_FOLDER)] });
    this.#analysts = new AnalystPool({
      ...shared,
      placeOf: (model) => this.#placeOf(model),
      onFree: () => this.#next(),
    });
  }

  /** For tests and health. */
  get analystPid(): number | undefined {
    return this.#analysts.pid;
  }

  assign(devices: readonly DeviceAssignment[]): void {
    const wanted = new Map(
      devices.flatMap(({ deviceSerial, channels }) =>
        channels.flatMap(({ channelId, channelNo, analysis = [] }) =>
          analysis.length === 0
            ? []
            : [[channelId, { place: { deviceSerial, channelNo, channelId }, analysis }] as const],
        ),
      ),
    );
    for (const [channelId, watched] of this.#channels) {
      const order = wanted.get(channelId);
      if (order && textOf(order) === watched.text) wanted.delete(channelId);
      else this.#end(channelId, watched);
    }
    for (const [channelId, order] of wanted) this.#begin(channelId, order);
    this.#useAnalysts();
  }

  start(): void {
    this.#cancelTick = this.#options.clock.after(TICK_MS, () => {
      this.#tick();
      this.start();
    });
  }

  close(): void {
    this.#cancelTick();
    this.#cancelPause();
    for (const [channelId, watched] of this.#channels) this.#end(channelId, watched);
    this.#analysts.use(new Set());
    this.#codec.close();
  }

  /** Answers of the calls of the server. */
  readonly calls = {
    analysisStatus: async (): Promise<AnalysisCalls['analysisStatus']['output']> => {
      const { clock, runtimeFolder } = this.#options;
      this.#isInstalled = await isRuntimeInstalled(runtimeFolder);
      const usedPercent = this.#share.usedPercent(clock.monotonicMs());
      return {
        state: this.#state(),
        fault: this.#analysts.fault?.slice(0, 256) ?? null,
        models: [await this.#builtInModel(), ...this.#catalog.models],
        refused: this.#catalog.refused,
        msPerPicture: this.#msPerPicture,
        usedPercent,
        capPercent: CAP_PERCENT,
        roomFor: roomFor({
          msPerPicture: this.#msPerPicture,
          usedPercent,
          capPercent: CAP_PERCENT,
          processors: this.#processors,
        }),
        channels: [...this.#channels.values()].map(({ analysis, model }) => ({
          ...analysis.figures,
          hasModel: this.hasModel(model),
        })),
      };
    },
  };

  #state(): AnalysisCalls['analysisStatus']['output']['state'] {
    if (!this.#codec.isAvailable) return 'noDecoder';
    return this.#isInstalled ? this.#analysts.state : 'missing';
  }

  #begin(channelId: string, { place, analysis }: ChannelOrder): void {
    const { hub, fleet, clock, spool, seenLog } = this.#options;
    if (this.#ffmpeg === null) return;
    const model = analysis[0]?.model ?? USUAL_MODEL;
    const looked = knownClasses();
    const options = {
      place,
      hub,
      fleet,
      clock,
      ffmpeg: this.#ffmpeg.start,
      codec: this.#codec,
      offer: (frame: WaitingFrame['frame']) => {
        const isReplaced = this.#queue.offer(channelId, frame);
        this.#next();
        return isReplaced;
      },
      report: spool.add.bind(spool),
      onLook: ({ watched, inView }: Look) =>
        seenLog.look(channelId, { watched: looked(watched, this.#classesOf(model)), inView }),
      onTracks: () => this.followers.changed(channelId),
      mayPicture: () => spool.pending().filter(({ event }) => event.kind === 'deviceEvent').length < PICTURED_MAX,
    };
    this.#channels.set(channelId, {
      text: textOf({ place, analysis }),
      model,
      analysis: new ChannelAnalysis(options, analysis),
    });
  }

  #end(channelId: string, { analysis }: Watched): void {
    analysis.close();
    this.#queue.withdraw(channelId);
    this.#channels.delete(channelId);
  }

  /** It is listed. */
  hasModel(model: string): boolean {
    return this.#placeOf(model) !== null;
  }

  /** Where the model of an order lies; null: it is not listed. */
  #placeOf(model: string): { readonly folder: string; readonly sha256: string } | null {
    if (model === USUAL_MODEL || model === this.#builtIn?.name) return { folder: MODEL_FOLDER, sha256: USUAL_MODEL };
    const folder = this.#catalog.folderOf(model);
    const listed = this.#catalog.models.find(({ name }) => name === model);
    return folder === null || listed === undefined ? null : { folder, sha256: listed.sha256 };
  }

  #classesOf(model: string): readonly ObjectClass[] | null {
    if (model === USUAL_MODEL || model === this.#builtIn?.name) return OBJECT_CLASSES;
    return this.#catalog.models.find(({ name }) => name === model)?.classes ?? null;
  }

  async #builtInModel(): Promise<AnalysisModel> {
    const { name, sha256, licence, size } = await readDescription(MODEL_FOLDER);
    this.#builtIn = { name, sha256, licence, size, classes: OBJECT_CLASSES };
    return this.#builtIn;
  }

  #useAnalysts(): void {
    const models = new Set([...[...this.#channels.values()].map(({ model }) => model), ...this.spare.models]);
    if (this.#isInstalled || models.size === 0) this.#analysts.use(models);
  }

  #spareChanged(): void {
    this.#useAnalysts();
    this.#next();
  }

  #tick(): void {
    this.#ffmpeg?.count(this.#options.clock.monotonicMs());
    this.#lookForRuntime();
    if (this.#isInstalled) this.#catalog.look();
    this.#useAnalysts();
    this.spare.refuse((model) => this.#analysts.stateOf(model) === 'failed' || !this.hasModel(model));
    for (const { analysis, model } of this.#channels.values())
      if (this.#analysts.stateOf(model) === 'running') analysis.tick();
    this.#next();
  }

  /** It may be installed while the site runs. */
  #lookForRuntime(): void {
    const { clock, runtimeFolder, log } = this.#options;
    const now = clock.monotonicMs();
    if (now - this.#lookedAt < LOOK_FOR_RUNTIME_MS) return;
    this.#lookedAt = now;
    isRuntimeInstalled(runtimeFolder).then(
      (isInstalled) => {
        this.#isInstalled = isInstalled;
      },
      (error: unknown) => log.warn({ fault: errorMessage(error) }, 'the folder of the analyst cannot be read'),
    );
  }

  /** Processor time that frames of recordings took before the analyst had them: of the same share of the machine. */
  spentOnSpare(cpuMs: number): void {
    this.#share.spentOnSpare(this.#options.clock.monotonicMs(), cpuMs);
  }

  #spareFrame(now: number) {
    const { spareFrom } = this.#share;
    if (now >= spareFrom) return this.spare.take((model) => this.#analysts.isFree(model));
    if (this.spare.isWaiting) this.#nextAfter(spareFrom - now);
    return null;
  }

  /** Gives the analyst the next frame, if it is free and has not used up its share of the machine. */
  #next(): void {
    const { clock } = this.#options;
    const startedAt = clock.monotonicMs();
    const { liveFrom } = this.#share;
    if (startedAt < liveFrom) return this.#nextAfter(liveFrom - startedAt);
    const waiting = this.#liveFrame() ?? this.#spareFrame(startedAt);
    if (waiting === null) return;
    this.#analysts.detect(waiting.model, waiting.frame).then(
      ({ detections, cpuMs }) => {
        this.#share.spentOnFrame(startedAt, clock.monotonicMs(), cpuMs);
        this.#msPerPicture = (this.#msPerPicture ?? cpuMs) * 0.95 + cpuMs * 0.05;
        waiting.seen(detections);
        this.#next();
      },
      (error: unknown) => {
        if (!(error instanceof AnalystGone)) throw error;
        waiting.failed();
      },
    );
  }

  #nextAfter(ms: number): void {
    this.#cancelPause();
    this.#cancelPause = this.#options.clock.after(Math.ceil(ms), () => this.#next());
  }

  #liveFrame() {
    const modelOf = (channelId: string) => this.#channels.get(channelId)?.model ?? USUAL_MODEL;
    const waiting = this.#queue.take((channelId) => this.#analysts.isFree(modelOf(channelId)));
    if (waiting === null) return null;
    const { frame, channelId } = waiting;
    const watched = this.#channels.get(channelId);
    return {
      frame,
      model: modelOf(channelId),
      seen: (detections: readonly Detection[]) => watched?.analysis.seen(frame, detections),
      failed: () => watched?.analysis.failed(),
    };
  }
}

interface ChannelOrder {
  readonly place: { readonly deviceSerial: string; readonly channelNo: number; readonly channelId: string };
  readonly analysis: readonly AnalysisOrder[];
}

function textOf(order: ChannelOrder): string {
  return JSON.stringify(order);
}
