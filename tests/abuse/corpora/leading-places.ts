// Foreign addresses under every address of the product, in its parameters and its headers: nothing answers with a redirect to somebody else.
import type { AttackTarget } from '../attack.ts';
import { type Attempts, forEachInLanes, RawCaller, spread } from './attempts.ts';
import { foreignAddresses } from './foreign-addresses.ts';

const PARAMETERS = [
  'from',
  'redirect',
  'redirect_uri',
  'redirectUrl',
  'return',
  'returnUrl',
  'next',
  'url',
  'continue',
  'serverAddress',
  'oldWebsite',
  'post_logout_redirect_uri',
  'state',
  'iss',
];
const PAGES = [
  '/',
  '/login',
  '/docs',
  '/trust',
  '/signIn/provider/x',
  '/oauth2/authorize',
  '/oidc/auth',
  '/oidc/session/end',
  '/oidc/device',
  '/deviceAuth',
  '/trustLogin',
];

export async function leadingPlaces(place: AttackTarget): Promise<Attempts> {
  const caller = new RawCaller(place.url);
  const own = new URL(place.url);
  const addresses = foreignAddresses(`${own.origin}/homepage/liveVideo`);
  const broken: string[] = [];
  const bare = addresses.flatMap((address) => [address, `/${address}`, `//${address}`, `/docs/${address}`]);
  const asked = PAGES.flatMap((page) =>
    addresses.map((address) => {
      const query = PARAMETERS.map((name) => `${name}=${encodeURIComponent(address)}`).join('&');
      return `${page}?${query}`;
    }),
  );
  const paths = [...bare.filter((path) => path.startsWith('/')), ...asked];
  const tryOut = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<void> => {
    const { status, headers: heard } = await caller.get(path, headers);
    const to = heard.location ?? heard.refresh ?? heard['content-location'];
    if (status >= 500) broken.push(`${path} answered ${status}`);
    if (to !== undefined && !isOwn(String(to), own)) broken.push(`${path} leads to ${String(to)}`);
  };
  try {
    await forEachInLanes(spread(paths, { count: place.count * (PAGES.length + 3) }), tryOut);
    // Of headers a proxy may set; none is configured here.
    const forwarded = ['x-forwarded-host', 'x-original-url', 'x-rewrite-url', 'forwarded', 'referer'];
    for (const page of PAGES) {
      await tryOut(page, Object.fromEntries(forwarded.map((name) => [name, 'https://evil.example/'])));
    }
  } finally {
    caller.close();
  }
  return { tried: `${addresses.length} foreign addresses at ${PAGES.length} pages and as paths`, broken };
}

function isOwn(location: string, own: URL): boolean {
  const { protocol, host } = new URL(location, own);
  return /^https?:$/u.test(protocol) && host === own.host;
}
