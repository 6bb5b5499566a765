// How one channel of a virtual device is set by its services, and what of it the picture shows.

import type { ChannelPlan } from './device-plan.ts';
import { defaultSceneRules, type ObjectClass, type Point, type SceneRule } from './scene-rules.ts';
import type {
  OverlayMask,
  OverlayText,
  PictureFlip,
  PictureLevels,
  PictureSettings,
} from '../scene/painting/picture-settings.ts';

export interface Imaging extends PictureLevels {
  readonly sharpness: number;
  /** `AUTO`, `ON`, `OFF`. */
  readonly infraredFilter: string;
  readonly isWide: boolean;
  readonly wideLevel: number;
}

export interface TextOverlay extends OverlayText {
  readonly token: string;
}

export interface PrivacyMask extends OverlayMask {
  readonly token: string;
  readonly isOn: boolean;
}

export interface Motion {
  readonly isOn: boolean;
  readonly sensitivity: number;
  /** Row by row from the top left, `1` is watched. */
  readonly cells: string;
}

/** Of the loudspeaker in percent; the microphone is coded as the streams say. */
export interface AudioSettings {
  readonly outputLevel: number;
}

export const MOTION_COLUMNS = 22;
export const MOTION_ROWS = 18;

export class ChannelSettings {
  #imaging: Imaging = {
    brightness: 50,
    contrast: 50,
    saturation: 50,
    sharpness: 50,
    infraredFilter: 'AUTO',
    isWide: false,
    wideLevel: 50,
  };
  #texts: readonly TextOverlay[];
  #masks: readonly PrivacyMask[] = [];
  #flip: PictureFlip = { mirror: false, upsideDown: false };
  #revision = 1;
  #tokens = 0;
  motion: Motion = { isOn: true, sensitivity: 60, cells: '1'.repeat(MOTION_COLUMNS * MOTION_ROWS) };
  rules: readonly SceneRule[] = defaultSceneRules;
  audio: AudioSettings = { outputLevel: 80 };
  readonly #onChange: () => void;

  /** `onChange`: the picture looks otherwise from now on. */
  constructor({ label, watches }: Pick<ChannelPlan, 'label' | 'watches'>, onChange: () => void) {
    if (watches !== undefined) {
      this.motion = { ...this.motion, isOn: watches.includes('motion') };
      this.rules = defaultSceneRules.filter(({ name }) => watches.some((watch) => watch === name));
    }
    this.#texts = [{ token: 'osd_name', text: label, x: 0.006, y: 0.94 }];
    this.#onChange = onChange;
  }

  get imaging(): Imaging {
    return this.#imaging;
  }

  get texts(): readonly TextOverlay[] {
    return this.#texts;
  }

  get masks(): readonly PrivacyMask[] {
    return this.#masks;
  }

  get look(): PictureSettings {
    return {
      revision: this.#revision,
      levels: this.#imaging,
      texts: this.#texts,
      masks: this.#masks.filter(({ isOn }) => isOn),
      flip: this.#flip,
    };
  }

  setImaging(part: Partial<Imaging>): void {
    this.#imaging = { ...this.#imaging, ...part };
    this.#changed();
  }

  setFlip(flip: PictureFlip): void {
    if (flip.mirror === this.#flip.mirror && flip.upsideDown === this.#flip.upsideDown) return;
    this.#flip = flip;
    this.#changed();
  }

  /** Makers' own interfaces turn tracking on and off; null turns it off. */
  setTracking(how: { readonly classes: readonly ObjectClass[]; readonly holdMs: number } | null): void {
    const others = this.rules.filter(({ kind }) => kind !== 'ObjectTrack');
    this.rules = how === null ? others : [...others, { name: 'track', kind: 'ObjectTrack', home: '', ...how }];
  }

  /** Regions in which makers' own interfaces look for people. */
  setPeople(fields: readonly (readonly Point[])[]): void {
    const others = this.rules.filter(({ kind }) => kind !== 'ObjectDetection');
    const people = fields.map(
      (field, at): SceneRule => ({
        name: `people_${at + 1}`,
        kind: 'ObjectDetection',
        classes: ['Human'],
        confidence: 0.5,
        field,
      }),
    );
    this.rules = [...others, ...people];
  }

  setTexts(texts: readonly TextOverlay[]): void {
    this.#texts = texts;
    this.#changed();
  }

  setMasks(masks: readonly PrivacyMask[]): void {
    this.#masks = masks;
    this.#changed();
  }

  newToken(kind: string): string {
    this.#tokens += 1;
    return `${kind}_${this.#tokens}`;
  }

  #changed(): void {
    this.#revision += 1;
    this.#onChange();
  }
}
