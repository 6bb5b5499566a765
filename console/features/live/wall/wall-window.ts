// Walls in browser windows of their own: opened with what stands on this one, where they stood on the screen before.
import { windowStorage } from './wall-storage.ts';
import type { WallState } from './wall-model.ts';

/** The page itself is the first wall. */
const FIRST_NO = 2;
const LAST_NO = 9;

interface ScreenPlace {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** What this page opened. A window says where it is only once that page came: until then it looks free. */
const opening = new Map<number, Window>();

/** Opens the next window that is not open yet; false where the browser blocks it. `addressOf` is that of the numbered window. */
export function openWallWindow(wall: WallState, addressOf: (no: number) => string): boolean {
  for (let no = FIRST_NO; no <= LAST_NO; no++) {
    if (opening.get(no)?.closed === false && no < LAST_NO) continue;
    // An empty address finds a window that is open already without loading it again.
    const opened = window.open('', `vedette-wall-${no}`, featuresOf(readPlace(no)));
    if (opened === null) return false;
    const isTaken = opened.closed || opened.location.href !== 'about:blank';
    if (isTaken && no < LAST_NO) continue;
    opening.set(no, opened);
    windowStorage(no).write(wall);
    opened.location.replace(addressOf(no));
    opened.focus();
    return true;
  }
  return false;
}

/** Remembers where the window stands; the answer stops it. */
export function rememberPlace(no: number): () => void {
  const remember = (): void => {
    const { screenX: left, screenY: top, innerWidth: width, innerHeight: height } = window;
    localStorage.setItem(placeKey(no), JSON.stringify({ left, top, width, height } satisfies ScreenPlace));
  };
  const events = ['resize', 'blur', 'pagehide'] as const;
  for (const event of events) window.addEventListener(event, remember);
  return () => {
    for (const event of events) window.removeEventListener(event, remember);
  };
}

/** Null where the address names no window. */
export function readWindowNo(text: string | undefined): number | null {
  const no = Number(text);
  return Number.isInteger(no) && no >= FIRST_NO && no <= LAST_NO ? no : null;
}

function placeKey(no: number): string {
  return `vedette.wall.${no}.place`;
}

function readPlace(no: number): ScreenPlace | null {
  const text = localStorage.getItem(placeKey(no));
  if (text === null) return null;
  try {
    const place = JSON.parse(text) as Partial<ScreenPlace> | null;
    const isPlace = [place?.left, place?.top, place?.width, place?.height].every(Number.isFinite);
    return isPlace ? (place as ScreenPlace) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function featuresOf(place: ScreenPlace | null): string {
  const { left, top, width, height } = place ?? { left: 80, top: 60, width: 1280, height: 720 };
  return `popup,left=${left},top=${top},width=${width},height=${height}`;
}
