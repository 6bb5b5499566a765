// What belongs to the shell's own server: documents, permissions, and the links by which other programs open a page.

/** `url`: of a document that is asked for, in a window or in a frame of it. */
export function isOwn(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin;
}

/** Everything that the console asks for, beside the microphone. */
const PERMISSIONS: ReadonlySet<string> = new Set([
  'notifications',
  'fullscreen',
  'window-management',
  'clipboard-sanitized-write',
]);

export function mayHave(permission: string, media: readonly string[] = []): boolean {
  if (permission === 'media') return media.length > 0 && media.every((one) => one === 'audio');
  return PERMISSIONS.has(permission);
}

export const SCHEME = 'vedette';

/** The page of a link such as `vedette:/client.html#/homepage/alarmMsg`; null where it is none, or would lead elsewhere. */
export function linkedPage(link: string, origin: string): string | null {
  const path = link.startsWith(`${SCHEME}:`) ? link.slice(SCHEME.length + 1) : '';
  // `//other.example` and `/\other.example` name another host: the origin of the result is judged, not the text.
  if (!path.startsWith('/') || !URL.canParse(path, origin)) return null;
  const { href } = new URL(path, origin);
  return isOwn(href, origin) ? href : null;
}

/** Of a start: the system puts the link among the arguments. */
export function linkIn(args: readonly string[]): string | null {
  return args.find((one) => one.startsWith(`${SCHEME}:`)) ?? null;
}
