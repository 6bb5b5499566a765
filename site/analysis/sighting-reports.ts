// What is reported of the objects that a channel's scene follows: each as a sighting with the best picture of it.
import type { AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import type { SightingReport } from '@vedette/contract/site/site-sighting.ts';
import { SerialQueue } from '@vedette/foundation/concurrency/serial-queue.ts';
import { newTimedId } from '@vedette/foundation/random/ids.ts';
import { croppedFrame } from '@vedette/media/codec/cropped-frame.ts';
import type { DecodedFrame } from '@vedette/media/codec/decoded-frames.ts';
import type { StartFfmpeg } from '@vedette/media/codec/ffmpeg-process.ts';
import { type PixelFrame, smallJpeg } from '@vedette/media/codec/marked-jpeg.ts';
import type { Box } from '@vedette/rules/scene/detection/detection.ts';
import { footOf, type SceneZone, zoneOf } from '@vedette/rules/scene/rules/region-geometry.ts';
import { unmaskedPlaces } from '@vedette/rules/scene/sighting/masked-places.ts';
import { type SceneSighting, Sightings } from '@vedette/rules/scene/sighting/sightings.ts';
import type { Track } from '@vedette/rules/scene/tracking/track.ts';
import type { ReportPlace } from './scene-report.ts';

export interface SightingReportsOptions {
  readonly place: ReportPlace;
  readonly ffmpeg: StartFfmpeg;
  readonly report: (sighting: SightingReport) => void;
}

const PICTURE = { maxSide: 240, maxBytes: 20_000 } as const;
/** Pictures of one channel that are kept until their sighting is over, a third of a megabyte each: further ones go without. */
const CROPS_MAX = 40;
/** Pictures that wait for ffmpeg. */
const WAITING_MAX = 40;

interface NamedZone {
  readonly name: string;
  readonly zone: SceneZone;
}

export class SightingReports {
  readonly #options: SightingReportsOptions;
  readonly #zones: readonly NamedZone[];
  readonly #isTold: ReturnType<typeof unmaskedPlaces>;
  readonly #sightings = new Sightings();
  /** The best picture so far, by track. */
  readonly #crops = new Map<number, PixelFrame>();
  readonly #encoding = new SerialQueue();
  #waiting = 0;

  constructor(options: SightingReportsOptions, orders: readonly AnalysisOrder[]) {
    this.#options = options;
    this.#isTold = unmaskedPlaces(orders);
    this.#zones = orders.flatMap(({ regions }) =>
      regions.flatMap(({ kind, points, regionName }) => {
        const zone = kind === 'zone' ? zoneOf(points) : null;
        return zone === null ? [] : [{ name: regionName, zone }];
      }),
    );
  }

  seen(frame: DecodedFrame, tracks: readonly Track[]): void {
    const aspect = frame.width / frame.height;
    // What stands in a mask goes on to be followed, as if it were hidden there.
    const told = tracks.map((track) => (this.#isTold(track, aspect) ? track : { ...track, isSeen: false }));
    const { better, over } = this.#sightings.step(told, (box) => this.#zonesOf(box, aspect));
    this.#tell(over);
    for (const { trackId, box } of better) {
      if (this.#crops.size < CROPS_MAX || this.#crops.has(trackId)) this.#crops.set(trackId, croppedFrame(frame, box));
    }
  }

  /** Several times a second; `nowMs` by the clock of capture times. */
  tick(nowMs: number): void {
    this.#tell(this.#sightings.endIdle(nowMs));
  }

  end(): void {
    this.#tell(this.#sightings.end());
  }

  #zonesOf(box: Box, aspect: number): readonly string[] {
    return this.#zones.filter(({ zone }) => zone.depth(footOf(box), aspect) > 0).map(({ name }) => name);
  }

  #tell(over: readonly SceneSighting[]): void {
    for (const sighting of over) {
      const crop = this.#crops.get(sighting.trackId);
      this.#crops.delete(sighting.trackId);
      const isPictured = crop !== undefined && this.#waiting < WAITING_MAX;
      this.#waiting += 1;
      void this.#encoding.run(async () => {
        const jpeg = isPictured ? await smallJpeg(this.#options.ffmpeg, crop, PICTURE) : null;
        this.#waiting -= 1;
        this.#options.report(reportOf(sighting, this.#options.place, jpeg));
      });
    }
  }
}

function reportOf(
  { fromMs, bestMs, untilMs, ...sighting }: SceneSighting,
  { deviceSerial, channelNo }: ReportPlace,
  jpeg: Buffer | null,
): SightingReport {
  return {
    kind: 'sighting',
    deviceSerial,
    channelNo,
    eventId: newTimedId(fromMs),
    ...sighting,
    at: fromMs,
    bestAt: bestMs,
    endAt: untilMs,
    ...(jpeg && { picture: jpeg.toString('base64') }),
  };
}
