// xs:duration of hours, minutes and seconds, as ONVIF uses it for timeouts and stays.

/** Null for text that is no such duration. */
export function readDurationMs(text: string | undefined): number | null {
  const [, days, hours, minutes, seconds] =
    /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/u.exec(text ?? '') ?? [];
  const given = [days, hours, minutes, seconds].map((part) => Number(part ?? Number.NaN));
  if (given.every(Number.isNaN)) return null;
  const [d = 0, h = 0, m = 0, s = 0] = given.map((part) => (Number.isNaN(part) ? 0 : part));
  return (((d * 24 + h) * 60 + m) * 60 + s) * 1000;
}

export function writeDuration(ms: number): string {
  return `PT${ms / 1000}S`;
}
