// Corpus of addresses that lead browsers to somebody else's site or run a script (GO-15), for every place that goes on to an address it was given.

const EVIL = 'evil.example';

const SCHEMES = ['https:', 'http:', 'HTTPS:', 'hTtPs:', 'ftp:', 'ws:', ''];
/** All of them begin an authority where a browser reads them after a scheme or without one. */
const SLASHES = ['//', '/\\', '\\/', '\\\\', '///', '////', '/\t/', '/\n/', '/\r/'];
const SCRIPTS = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript:alert(1)',
  '\tjavascript:alert(1)',
  '\u0001javascript:alert(1)',
  ' javascript:alert(1)',
  'javascript://app.example/%0aalert(1)',
  'javascript:/*https://app.example/*/alert(1)',
  'javascript&colon;alert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'data:image/svg+xml,<svg onload=alert(1)>',
  `blob:https://${EVIL}/1`,
  'file:///etc/passwd',
  'about:blank',
  'view-source:https://evil.example',
  'filesystem:https://evil.example/temporary/x',
  'mailto:a@evil.example',
  'intent://evil.example#Intent;scheme=https;end',
];
const BEFORE_SLASHES = [
  ' ',
  '\t',
  '\n',
  '\r',
  '\0',
  '\v',
  '\f',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '.',
  '..',
  '%09',
  '%0a',
  '%20',
  '%00',
];
/** Inside a path that is allowed, and out of it again. */
const DETOURS = [
  '/homepage/../..//',
  '/homepage/..//',
  '/homepage/%2e%2e//',
  '/homepage/./..//',
  '/homepage/.%2e/%2e./',
  '/homepage/\\..\\..\\\\',
  '/homepage/%2f',
  '/homepage/%5c',
  '/homepage//',
  '/homepage/%2F%2F',
  '/homepage/..%2f..%2f',
  '/homepage/..;//',
  '/homepage/%252f%252f',
  '/%2f%2f',
  '/%5c%5c',
  '/%09/',
  '/;//',
  '/.//',
];

/** As they stand; none of them has anything of ours. */
const ABSOLUTE: readonly string[] = [
  ...SCHEMES.flatMap((scheme) => SLASHES.map((slashes) => `${scheme}${slashes}${EVIL}/homepage/liveVideo`)),
  ...BEFORE_SLASHES.map((sign) => `${sign}//${EVIL}`),
  ...DETOURS.map((detour) => detour + EVIL),
  ...SCRIPTS,
];

/** For who allows `own`, such as `https://app.example/callback`: what looks like it. */
function lookalikes(own: string): string[] {
  const { protocol, host, hostname, pathname } = new URL(own);
  const port = host.slice(hostname.length);
  const first = hostname.charAt(0);
  return [
    `${protocol}//${host}@${EVIL}${pathname}`,
    `${protocol}//${host}:x@${EVIL}${pathname}`,
    `${protocol}//${host}%40${EVIL}${pathname}`,
    `${protocol}//${host}%2f@${EVIL}${pathname}`,
    `${protocol}//${host}\\@${EVIL}${pathname}`,
    `${protocol}//${EVIL}\\@${host}${pathname}`,
    `${protocol}//${EVIL}#@${host}${pathname}`,
    `${protocol}//${EVIL}?@${host}${pathname}`,
    `${protocol}//${EVIL}/${host}${pathname}`,
    `${protocol}//${EVIL}?${own}`,
    `${protocol}//${EVIL}#${own}`,
    `${protocol}//${EVIL};${host}`,
    `${protocol}//${EVIL}&@${host}${pathname}`,
    `${protocol}//${hostname}.${EVIL}${pathname}`,
    `${protocol}//${hostname}${EVIL}${pathname}`,
    `${protocol}//${EVIL}.${host}${pathname}`,
    `${protocol}//x.${host}${pathname}`,
    `${protocol}//x${host}${pathname}`,
    `${protocol}//${hostname}.${port}${pathname}`,
    `${protocol}//${hostname}%00.${EVIL}${pathname}`,
    `${protocol}//${hostname}%09.${EVIL}${pathname}`,
    `${protocol}//${hostname}。${EVIL}${pathname}`,
    `${protocol}//${String.fromCodePoint(0x430)}${hostname.slice(1)}${port}${pathname}`,
    `${protocol}//xn--${hostname}${port}${pathname}`,
    `${protocol}//user@${host}${pathname}`,
    `${protocol}//user:word@${host}${pathname}`,
    `${protocol}//${hostname}:444${pathname}`,
    `${protocol}//${hostname}:80${pathname}`,
    `${protocol}//[::1]${pathname}`,
    `${protocol === 'https:' ? 'http:' : 'https:'}//${host}${pathname}`,
    `x-${own}`,
    `${first}${own}`,
  ];
}

/** Other spellings of `own`, which are it to a browser and not to who compares them. */
function respellings(own: string): string[] {
  const { protocol, host, pathname } = new URL(own);
  return [
    own.toUpperCase(),
    `${protocol}//${host.toUpperCase()}${pathname}`,
    `${protocol}//${host}/x/..${pathname}`,
    `${protocol}//${host}/.${pathname}`,
    `${protocol}//${host}/${pathname}`,
    `${protocol}//${host}${pathname}/`,
    `${protocol}//${host}${pathname}/..`,
    `${protocol}//${host}${pathname}%2f..`,
    `${own}?more=1`,
    `${own}&more=1`,
    `${own};more=1`,
    `${own}#fragment`,
    `${own}#`,
    `${own}%00`,
    `${own}\n`,
    ` ${own}`,
    `${own} `,
    `${own}*`,
    own.slice(0, -1),
    own.replace('//', '/'),
    own.replace('//', '\\\\'),
    own.replace('://', ':'),
    encodeURIComponent(own),
    `${own},https://${EVIL}/`,
    `${own} https://${EVIL}/`,
    `https://${EVIL}/ ${own}`,
  ];
}

/** Nowhere may any of them be gone to by who allows `own`. */
export function foreignAddresses(own: string): string[] {
  return [...new Set([...ABSOLUTE, ...lookalikes(own)])];
}

/** The same for who allows `own` letter by letter. */
export function otherAddresses(own: string): string[] {
  return [...foreignAddresses(own), ...respellings(own)];
}
