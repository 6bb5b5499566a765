// The illustration beside sign-in: a guard post seen from above, whose field of view goes round over its cameras.
import style from './sign-in-art.module.css';

/** Distance rings, in units of the drawing. */
const RINGS = [70, 140, 210, 290, 380, 480];
/** Posts on the plan: angle in degrees from north, ring distance. Placed by eye. */
const POSTS = [
  { angle: -38, far: 140 },
  { angle: -12, far: 210 },
  { angle: 24, far: 140 },
  { angle: 52, far: 290 },
  { angle: 78, far: 210 },
  { angle: 118, far: 290 },
  { angle: 160, far: 210 },
  { angle: -72, far: 290 },
  { angle: -110, far: 210 },
  { angle: -150, far: 140 },
  { angle: 8, far: 380 },
  { angle: -52, far: 380 },
  { angle: 95, far: 380 },
  { angle: 142, far: 380 },
  { angle: -128, far: 380 },
];
/** Full turn of the view, seconds; a post lights up as the view passes over it. */
const TURN_S = 24;

function place(angle: number, far: number): { x: number; y: number } {
  const radians = (angle * Math.PI) / 180;
  return { x: Math.sin(radians) * far, y: -Math.cos(radians) * far };
}

function View() {
  const left = place(-24, 520);
  const right = place(24, 520);
  return (
    <g className={style.view}>
      <path d={`M0 0 L${left.x} ${left.y} A520 520 0 0 1 ${right.x} ${right.y} Z`} fill="url(#watch-view)" />
      <path d={`M0 0 L${left.x} ${left.y} M0 0 L${right.x} ${right.y}`} className={style.edge} />
    </g>
  );
}

export function SignInArt() {
  return (
    <div className={style.art} aria-hidden="true">
      <svg viewBox="-420 -420 840 840" preserveAspectRatio="xMidYMid slice" className={style.drawing}>
        <defs>
          <radialGradient id="watch-view" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="500">
            <stop offset="0" stopColor="var(--accent)" stopOpacity="0.34" />
            <stop offset="0.6" stopColor="var(--accent)" stopOpacity="0.1" />
            <stop offset="1" stopColor="var(--accent)" stopOpacity="0" />
          </radialGradient>
        </defs>
        <g className={style.rings}>
          {RINGS.map((radius) => (
            <circle key={radius} r={radius} />
          ))}
          <path d="M-600 0H-14M14 0H600M0-600V-14M0 14V600" />
        </g>
        <View />
        {POSTS.map(({ angle, far }) => {
          const { x, y } = place(angle, far);
          const share = (((angle + 360) % 360) / 360) * TURN_S;
          return (
            <g key={`${angle}`} transform={`translate(${x} ${y})`} className={style.post}>
              <circle r="3" />
              <circle r="9" className={style.glow} style={{ animationDelay: `${share - TURN_S}s` }} />
            </g>
          );
        })}
        <g className={style.centre}>
          <circle r="13" className={style.hub} />
          <circle r="5" className={style.eye} />
        </g>
      </svg>
    </div>
  );
}
