// The keyboard of the player, while it has the focus.
import type { ControlActions } from './controls.ts';
import type { PtzCommand } from './element-types.ts';

export interface KeyActions extends ControlActions {
  /** By so many seconds. */
  skip(seconds: number): void;
  stopAllMoves(): void;
}

export interface KeyFacts {
  readonly isRecorded: boolean;
  readonly maySteer: boolean;
  readonly mayTalk: boolean;
}

const MOVES: Readonly<Record<string, PtzCommand>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  '+': 'zoomIn',
  '=': 'zoomIn',
  '-': 'zoomOut',
  _: 'zoomOut',
};
const SKIP_S = 10;

/** `facts` are asked for at each key. */
export function listenToKeys(host: HTMLElement, actions: KeyActions, facts: () => KeyFacts): void {
  host.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isOfButton(event)) return;
    if (down(event, actions, facts())) event.preventDefault();
  });
  host.addEventListener('keyup', ({ key }) => {
    const command = MOVES[key];
    if (command !== undefined) actions.stopMove(command);
  });
  host.addEventListener('blur', () => actions.stopAllMoves());
}

/** A button that has the focus keeps the keys that press it. */
function isOfButton(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return target instanceof HTMLButtonElement && (event.key === ' ' || event.key === 'Enter');
}

/** Whether the key means something here. */
function down({ key, repeat }: KeyboardEvent, actions: KeyActions, facts: KeyFacts): boolean {
  const move = facts.maySteer ? MOVES[key] : undefined;
  if (move !== undefined) {
    if (!repeat) actions.startMove(move);
    return true;
  }
  const once = actionOf(key.toLowerCase(), actions, facts);
  if (once === null) return false;
  if (!repeat || key.startsWith('Arrow')) once();
  return true;
}

function actionOf(key: string, actions: KeyActions, { isRecorded, mayTalk }: KeyFacts): (() => void) | null {
  switch (key) {
    case 'm':
      return () => actions.toggleSound();
    case 'f':
      return () => actions.toggleFullScreen();
    case 't':
      return mayTalk ? () => actions.toggleTalk() : null;
    case ' ':
    case 'k':
      return isRecorded ? () => actions.togglePlay() : null;
    case 'arrowleft':
    case 'arrowright':
      return isRecorded ? () => actions.skip(key === 'arrowleft' ? -SKIP_S : SKIP_S) : null;
    default:
      return null;
  }
}
