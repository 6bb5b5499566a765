// The look of the player inside its shadow tree; a page changes it by custom properties and `::part()`.

export const STYLE = `
:host { display: block; position: relative; aspect-ratio: 16 / 9; min-width: 10rem; overflow: hidden;
  background: var(--vedette-player-background, #0b0d10); color: var(--vedette-player-colour, #f4f6f8);
  font: 14px/1.4 system-ui, sans-serif; }
:host([hidden]) { display: none; }
:host(:focus-visible) { outline: 2px solid var(--vedette-player-accent, #4c9ffe); outline-offset: 2px; }
[part='picture'], [part='recording'], [part='recording'] > *, video, canvas { position: absolute; inset: 0; width: 100%; height: 100%;
  object-fit: contain; }
[part='message'] { position: absolute; inset: auto 0 50%; margin: 0; padding: 0 1rem; text-align: center; transform: translateY(50%); }
[part='message']:empty { display: none; }
[part='controls'] { position: absolute; inset: auto 0 0; display: flex; gap: .25rem; align-items: center; padding: .25rem;
  background: linear-gradient(transparent, rgb(0 0 0 / 70%)); }
[part='time'] { margin-inline: auto .5rem; font-variant-numeric: tabular-nums; }
[part='ptz'] { position: absolute; inset: auto .5rem 3.25rem auto; display: grid; grid-template-columns: repeat(3, 2.25rem);
  gap: .125rem; }
[part='ptz'] [data-command='up'] { grid-area: 1 / 2; }
[part='ptz'] [data-command='left'] { grid-area: 2 / 1; }
[part='ptz'] [data-command='right'] { grid-area: 2 / 3; }
[part='ptz'] [data-command='down'] { grid-area: 3 / 2; }
[part='ptz'] [data-command='zoomOut'] { grid-area: 3 / 1; }
[part='ptz'] [data-command='zoomIn'] { grid-area: 3 / 3; }
button { inline-size: 2.25rem; block-size: 2.25rem; padding: .375rem; border: 0; border-radius: .375rem; background: rgb(0 0 0 / 45%);
  color: inherit; cursor: pointer; touch-action: none; }
button:hover { background: rgb(255 255 255 / 18%); }
button[aria-pressed='true'] { background: var(--vedette-player-accent, #4c9ffe); }
button:focus-visible { outline: 2px solid var(--vedette-player-accent, #4c9ffe); }
svg { display: block; inline-size: 100%; block-size: 100%; fill: none; stroke: currentcolor; stroke-width: 2; stroke-linecap: round;
  stroke-linejoin: round; }
[hidden] { display: none !important; }
`;
