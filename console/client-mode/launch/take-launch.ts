// What a smart client put into the address when it launched the page (RT-10): read once, and erased before anything else happens.

/** First pages by number: 0 and 2 the devices, 1 the organisations. */
export type LaunchFunction = 0 | 1 | 2;

export interface Launch {
  readonly token: string;
  /** As it was given; empty where the address names none. */
  readonly serverAddress: string;
  readonly funcType: LaunchFunction;
}

const TOKEN_PARAMETER = 'ucsToken';
const OTHER_PARAMETERS: readonly string[] = ['serverAddress', 'funcType'];
const TOKEN = /^[\w-]{20,512}$/;
const FUNCTIONS = ['0', '1', '2'];

/**
 * From the query, or from a fragment, which no server sees; the token is `ucsToken`, else the first item.
 * Null where the address launches nothing, and in a frame. A token that came in any of these ways does not stay in the address.
 */
export function takeLaunch(page: Pick<Window, 'location' | 'history' | 'self' | 'top'>): Launch | null {
  const { search, hash, pathname } = page.location;
  // A fragment with a slash is the address of a screen.
  const fragment = hash.startsWith('#/') ? '' : hash.slice(1);
  const [found] = [fragment, search.slice(1)].filter(isLaunch);
  if (found === undefined) return null;
  page.history.replaceState(page.history.state, '', pathname);
  return page.top === page.self ? readLaunch(new URLSearchParams(found)) : null;
}

function isLaunch(text: string): boolean {
  const items = new URLSearchParams(text);
  return items.has(TOKEN_PARAMETER) || items.has('funcType');
}

function readLaunch(items: URLSearchParams): Launch | null {
  const token = items.get(TOKEN_PARAMETER) ?? firstItem(items);
  const funcType = items.get('funcType') ?? '';
  if (!TOKEN.test(token) || !FUNCTIONS.includes(funcType)) return null;
  return { token, serverAddress: items.get('serverAddress') ?? '', funcType: Number(funcType) as LaunchFunction };
}

/** Its value, or its name where it has none. */
function firstItem(items: URLSearchParams): string {
  const [[name, value] = ['', '']] = [...items];
  if (OTHER_PARAMETERS.includes(name)) return '';
  return value === '' ? name : value;
}
