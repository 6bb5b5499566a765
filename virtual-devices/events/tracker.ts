// Auto-tracking: follows what its rule detects, and returns to the home position when nothing was seen for a while.

import { isWanted, type SceneRule } from '../device/scene-rules.ts';
import type { CameraPtz } from '../ptz/camera-ptz.ts';
import { aimAt } from '../ptz/ptz-view.ts';
import type { SeenActor } from './rule-evaluator.ts';

export class Tracker {
  private readonly ptz: CameraPtz;
  /** Null while it follows nothing. */
  private lastSeenMs: number | null = null;

  constructor(head: CameraPtz) {
    this.ptz = head;
  }

  follow(rule: (SceneRule & { readonly kind: 'ObjectTrack' }) | undefined, seen: readonly SeenActor[], nowMs: number) {
    if (rule === undefined) {
      this.lastSeenMs = null;
      return;
    }
    const target = seen.find(({ is }) => isWanted(rule.classes, is));
    if (target !== undefined) {
      this.lastSeenMs = nowMs;
      this.ptz.goto({ ...this.ptz.place, ...aimAt(target.at) });
    } else if (this.lastSeenMs !== null && nowMs - this.lastSeenMs >= rule.holdMs) {
      this.lastSeenMs = null;
      const home = this.ptz.presets.find(({ token }) => token === rule.home);
      if (home !== undefined) this.ptz.goto(home.place);
    }
  }
}
