// Which tracks pass a line, in which direction, each once however often its feet jitter over it.
import { footOf, hysteresisOf, type LinePosition, type SceneLine } from './region-geometry.ts';
import type { TaskTrack, TaskView } from './region-rule.ts';

export interface LinePassage {
  readonly track: TaskTrack;
  /** `in`: to the right of the line, seen from its first to its second point. */
  readonly direction: 'in' | 'out';
}

/** Beyond the ends, as a share of the line: what passes at its very end. */
const END_TOLERANCE = 0.01;

interface Approach {
  /** Where it was last clear of the line: 1 to the right, -1 to the left, 0 nowhere yet. */
  readonly side: -1 | 0 | 1;
  readonly position: LinePosition;
  /** Where along the line it went over last. */
  readonly crossedAlong: number | null;
}

export class LinePassages {
  readonly #line: SceneLine;
  #approaches = new Map<number, Approach>();

  constructor(line: SceneLine) {
    this.#line = line;
  }

  /** Passages of wanted objects that have moved, in this frame. */
  step({ tracks, aspect }: TaskView): LinePassage[] {
    const passages: LinePassage[] = [];
    const approaches = new Map<number, Approach>();
    for (const track of tracks) {
      const before = this.#approaches.get(track.trackId);
      const now = track.isSeen ? this.#approach(track, before, aspect) : before;
      if (now === undefined) continue;
      approaches.set(track.trackId, now);
      if (track.isWanted && before !== undefined && isPassage(before, now)) {
        passages.push({ track, direction: now.side > 0 ? 'in' : 'out' });
      }
    }
    this.#approaches = approaches;
    return passages;
  }

  #approach({ box, hasMoved }: TaskTrack, before: Approach | undefined, aspect: number): Approach {
    const position = this.#line.position(footOf(box), aspect);
    // What has not moved stays on its side, whatever its box does.
    const isClear = Math.abs(position.distance) > hysteresisOf(box) && (hasMoved || (before?.side ?? 0) === 0);
    const side = position.distance > 0 ? 1 : -1;
    return {
      side: isClear ? side : (before?.side ?? 0),
      position,
      crossedAlong: before === undefined ? null : (crossing(before.position, position) ?? before.crossedAlong),
    };
  }
}

/** Where along the line the straight way between two positions crosses it; null: it does not. */
function crossing(from: LinePosition, to: LinePosition): number | null {
  if (from.distance > 0 === to.distance > 0) return null;
  const share = from.distance / (from.distance - to.distance);
  return from.along + (to.along - from.along) * share;
}

function isPassage(before: Approach, now: Approach): boolean {
  if (before.side === 0 || before.side === now.side || now.crossedAlong === null) return false;
  return now.crossedAlong >= -END_TOLERANCE && now.crossedAlong <= 1 + END_TOLERANCE;
}
