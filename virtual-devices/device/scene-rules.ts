// The analytics rules of a channel beside the motion cells: object classes and regions.

export type ObjectClass = 'Human' | 'Vehicle' | 'Animal';

/** Shares of the picture, from the top left. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

interface Named {
  readonly name: string;
}

/** Empty classes: anything. */
export type SceneRule = Named &
  (
    | {
        readonly kind: 'LineDetector';
        readonly line: readonly [Point, Point];
        readonly direction: 'Any' | 'Left' | 'Right';
      }
    | { readonly kind: 'FieldDetector'; readonly field: readonly Point[] }
    | {
        readonly kind: 'MotionRegionDetector';
        readonly field: readonly Point[];
        readonly sensitivity: number;
        readonly isArmed: boolean;
      }
    | {
        readonly kind: 'ObjectDetection';
        readonly classes: readonly ObjectClass[];
        readonly confidence: number;
        /** Null: all of the picture. */
        readonly field: readonly Point[] | null;
      }
    | {
        readonly kind: 'ObjectTrack';
        readonly classes: readonly ObjectClass[];
        readonly holdMs: number;
        /** Token of the preset it goes back to; '' stays. */
        readonly home: string;
      }
  );

export type SceneRuleKind = SceneRule['kind'];

export const defaultSceneRules: readonly SceneRule[] = [
  {
    name: 'line',
    kind: 'LineDetector',
    line: [
      { x: 0.5, y: 0 },
      { x: 0.5, y: 1 },
    ],
    direction: 'Any',
  },
  {
    name: 'field',
    kind: 'FieldDetector',
    field: [
      { x: 0.6, y: 0 },
      { x: 0.9, y: 0 },
      { x: 0.9, y: 1 },
      { x: 0.6, y: 1 },
    ],
  },
];

/** What a sprite of the scenes shows; null for what is nobody's concern. */
export function classOf(sprite: string): ObjectClass | null {
  if (/^(?:walker|clerk|guest|worker|tech)/u.test(sprite)) return 'Human';
  if (/^(?:white|green|red|blue|black|silver|van|taxi|fork|boat)/u.test(sprite)) return 'Vehicle';
  return sprite.startsWith('bird') ? 'Animal' : null;
}

export function isWanted(wanted: readonly ObjectClass[], is: ObjectClass | null): boolean {
  return wanted.length === 0 || (is !== null && wanted.includes(is));
}
