// Auto-tracking: follows what its rule detects, and returns to the home position when nothing was seen for a while.

import { isWanted, type SceneRule } from '../device/scene-rules.ts';
import type { CameraHead } from '../head/camera-head.ts';
import { aimAt } from '../head/head-view.ts';
import type { SeenActor } from './rule-judge.ts';

export class Tracker {
  private readonly head: CameraHead;
  /** Null while it follows nothing. */
  private lastSeenMs: number | null = null;

  constructor(head: CameraHead) {
    this.head = head;
  }

  follow(rule: (SceneRule & { readonly kind: 'ObjectTrack' }) | undefined, seen: readonly SeenActor[], nowMs: number) {
    if (rule === undefined) {
      this.lastSeenMs = null;
      return;
    }
    const target = seen.find(({ is }) => isWanted(rule.classes, is));
    if (target !== undefined) {
      this.lastSeenMs = nowMs;
      this.head.goto({ ...this.head.place, ...aimAt(target.at) });
    } else if (this.lastSeenMs !== null && nowMs - this.lastSeenMs >= rule.holdMs) {
      this.lastSeenMs = null;
      const home = this.head.presets.find(({ token }) => token === rule.home);
      if (home !== undefined) this.head.goto(home.place);
    }
  }
}
