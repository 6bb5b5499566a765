// The buttons of the player: what can be done now, in the words of its language.
import { icon, type IconName } from './icons.ts';
import type { PtzCommand } from './element-types.ts';
import type { Words } from './sentences.ts';

export interface ControlActions {
  togglePlay(): void;
  toggleSound(): void;
  saveSnapshot(): void;
  toggleTalk(): void;
  toggleFullScreen(): void;
  retry(): void;
  startMove(command: PtzCommand): void;
  stopMove(command: PtzCommand): void;
}

/** What the buttons stand for at a moment. */
export interface ControlFacts {
  readonly words: Words;
  readonly hasControls: boolean;
  readonly isRecorded: boolean;
  readonly isPlaying: boolean;
  readonly isHeard: boolean;
  readonly isTalking: boolean;
  readonly mayTalk: boolean;
  readonly maySteer: boolean;
  readonly mayRetry: boolean;
}

const MOVES = ['up', 'left', 'right', 'down', 'zoomOut', 'zoomIn'] as const;

export class Controls {
  readonly bar = group('controls', 'toolbar');
  readonly ptz = group('ptz', 'group');
  readonly time = document.createElement('span');
  readonly #play: HTMLButtonElement;
  readonly #sound: HTMLButtonElement;
  readonly #snapshot: HTMLButtonElement;
  readonly #talk: HTMLButtonElement;
  readonly #fullScreen: HTMLButtonElement;
  readonly #retry: HTMLButtonElement;

  constructor(actions: ControlActions) {
    this.time.setAttribute('part', 'time');
    this.#play = button('play', () => actions.togglePlay());
    this.#sound = button('sound', () => actions.toggleSound());
    this.#snapshot = button('snapshot', () => actions.saveSnapshot());
    this.#talk = button('talk', () => actions.toggleTalk());
    this.#retry = button('retry', () => actions.retry());
    this.#fullScreen = button('full-screen', () => actions.toggleFullScreen());
    this.bar.append(this.#play, this.#sound, this.#talk, this.#snapshot, this.#retry, this.time, this.#fullScreen);
    this.ptz.append(...MOVES.map((command) => moveButton(command, actions)));
  }

  show(facts: ControlFacts): void {
    const { words, hasControls, isRecorded, isPlaying, isHeard, isTalking } = facts;
    this.bar.hidden = !hasControls;
    this.bar.setAttribute('aria-label', words.controls);
    this.ptz.hidden = !hasControls || !facts.maySteer;
    this.ptz.setAttribute('aria-label', words.ptz);
    this.#play.hidden = !isRecorded;
    this.#talk.hidden = !facts.mayTalk;
    this.#retry.hidden = !facts.mayRetry;
    label(this.#play, isPlaying ? 'pause' : 'play', words);
    label(this.#sound, isHeard ? 'mute' : 'unmute', words);
    label(this.#snapshot, 'snapshot', words);
    label(this.#retry, 'retry', words);
    label(this.#fullScreen, 'fullScreen', words);
    label(this.#talk, 'talk', words, isTalking ? words.stopTalk : words.talk);
    this.#talk.setAttribute('aria-pressed', String(isTalking));
    for (const one of this.ptz.querySelectorAll('button')) label(one, one.dataset['command'] as IconName, words);
  }
}

function group(part: string, role: string): HTMLElement {
  const element = document.createElement('div');
  element.setAttribute('part', part);
  element.setAttribute('role', role);
  return element;
}

function button(part: string, onPress: () => void): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.setAttribute('part', `button ${part}`);
  element.addEventListener('click', onPress);
  return element;
}

/** Moves for as long as it is held, by pointer or by key. */
function moveButton(command: PtzCommand, actions: ControlActions): HTMLButtonElement {
  const element = button('move', () => undefined);
  element.dataset['command'] = command;
  const isPress = ({ key }: KeyboardEvent): boolean => key === ' ' || key === 'Enter';
  const start = (): void => actions.startMove(command);
  const stop = (): void => actions.stopMove(command);
  element.addEventListener('pointerdown', start);
  for (const end of ['pointerup', 'pointercancel', 'pointerleave', 'blur']) element.addEventListener(end, stop);
  element.addEventListener('keydown', (event) => isPress(event) && !event.repeat && start());
  element.addEventListener('keyup', (event) => isPress(event) && stop());
  return element;
}

function label(element: HTMLButtonElement, name: IconName, words: Words, text: string = words[name]): void {
  if (element.dataset['icon'] !== name) element.replaceChildren(icon(name));
  element.dataset['icon'] = name;
  element.setAttribute('aria-label', text);
  element.title = text;
}
