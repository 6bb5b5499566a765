// The shadow tree of the player: where pictures, the message and the buttons stand.
import { type ControlActions, type ControlFacts, Controls } from './controls.ts';
import { STYLE } from './style.ts';

/** By its own style sheet object, which no policy for inline styles refuses. */
const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);

export class Stage {
  readonly video = document.createElement('video');
  readonly canvas = document.createElement('canvas');
  readonly recording = document.createElement('div');
  readonly #message = document.createElement('p');
  readonly #controls: Controls;

  constructor(host: HTMLElement, actions: ControlActions) {
    this.#controls = new Controls(actions);
    const { video, canvas, recording } = this;
    Object.assign(video, { muted: true, playsInline: true, disablePictureInPicture: true, tabIndex: -1 });
    for (const [part, element] of Object.entries({ video, still: canvas, recording, message: this.#message }))
      element.setAttribute('part', part);
    canvas.setAttribute('aria-hidden', 'true');
    this.#message.setAttribute('role', 'status');
    this.reset();
    const root = host.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    root.append(video, canvas, recording, this.#message, this.#controls.ptz, this.#controls.bar);
  }

  /** Nothing of the stream before is left on screen. */
  reset(): void {
    Object.assign(this.canvas, { width: 0, height: 0, hidden: true });
    this.setTime('');
  }

  setTime(text: string): void {
    this.#controls.time.textContent = text;
  }

  show(facts: ControlFacts, message: string | null): void {
    this.video.setAttribute('aria-label', facts.words.player);
    // Told once, not with each state of the same words.
    if (this.#message.textContent !== (message ?? '')) this.#message.textContent = message;
    this.#controls.show(facts);
  }
}
