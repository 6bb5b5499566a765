// The course of a measure as a small line; what it says stands beside it in words.
import style from './sparkline.module.css';

export interface SparklineProps {
  /** The newest last; null breaks the line. */
  readonly values: readonly (number | null)[];
  /** Drawn from the right, so that a short course does not look like a long one. */
  readonly slots: number;
}

const WIDTH = 96;
const HEIGHT = 22;
const MARGIN = 2;

export function Sparkline({ values, slots }: SparklineProps) {
  return (
    <svg className={style.line} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path className={style.ground} d={`M0 ${HEIGHT - MARGIN}H${WIDTH}`} />
      <path d={sparklinePath(values, slots)} />
    </svg>
  );
}

/** From zero, so that a steady measure is a steady line and not noise. */
export function sparklinePath(values: readonly (number | null)[], slots: number): string {
  const most = values.reduce<number>((largest, value) => Math.max(largest, value ?? 0), 0);
  const first = Math.max(0, slots - values.length);
  const x = (at: number): number => ((first + at) / Math.max(1, slots - 1)) * WIDTH;
  const y = (value: number): number => HEIGHT - MARGIN - (most === 0 ? 0 : value / most) * (HEIGHT - 2 * MARGIN);
  let path = '';
  for (const [at, value] of values.entries()) {
    if (value === null) continue;
    const isStart = at === 0 || values[at - 1] === null;
    path += `${isStart ? 'M' : 'L'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
  }
  return path;
}
