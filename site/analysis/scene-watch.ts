// How the frames of a channel become events, live and from recordings alike: what is looked at enlarged, the tracker, and the rules.
import type { AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import type { DecodedFrame } from '@vedette/media/codec/decoded-frames.ts';
import type { Detection } from '@vedette/rules/scene/detection/detection.ts';
import type { SceneEvent } from '@vedette/rules/scene/rules/scene-event.ts';
import { Scene } from '@vedette/rules/scene/scene.ts';
import type { RegionFrame } from './frame-queue.ts';
import { MovingRegion } from './moving-region.ts';

/** Crossings want 2 or more; the queue thins them out where the machine is busy. */
export const FRAMES_PER_S = 4;
export const WIDTH_MAX = 640;
/** All frames are decoded so long after the last movement. */
export const HOLD_MS = 6000;

export class SceneWatch {
  readonly scene: Scene;
  #moving = new MovingRegion();

  constructor(orders: readonly AnalysisOrder[]) {
    this.scene = new Scene(orders);
  }

  /** The next frame is not of the same run of decoded frames as the one before. */
  decodeAnew(): void {
    this.#moving = new MovingRegion();
  }

  /** Once for each decoded frame, in their order. */
  prepared(frame: DecodedFrame): RegionFrame {
    const followed = this.scene.tracks.map(({ box }) => box);
    return { ...frame, region: this.#moving.next(frame, followed) };
  }

  /** What the detector found in a frame. */
  seen({ wallMs, width, height }: DecodedFrame, detections: readonly Detection[]): readonly SceneEvent[] {
    return this.scene.step({ atMs: wallMs, detections, aspect: width / height });
  }
}
