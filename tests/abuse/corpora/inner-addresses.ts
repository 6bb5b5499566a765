// Corpus of inner addresses (GO-15): this machine, its link, private networks and metadata services, in every spelling that a URL, a resolver or a filter reads.

/** No account but the operator's names one of these for cameras. */
const HERE = ['127.0.0.1', '127.8.9.10', '127.255.255.254', '0.0.0.0', '0.1.2.3', '169.254.169.254', '169.254.170.2'];
/** Cameras stand in such networks; nothing else of an account does. The last two are metadata services. */
const INSIDE = [
  '10.0.0.5',
  '172.16.3.4',
  '172.31.255.254',
  '192.168.1.1',
  '100.64.0.1',
  '100.100.100.200',
  '192.0.0.192',
  '192.88.99.1',
];
const NOWHERE = ['224.0.0.1', '240.0.0.1', '255.255.255.255'];

/** As `inet_aton` and the URL standard read them. */
const IPV4_SPELLINGS: readonly ((bytes: Bytes) => string)[] = [
  (bytes) => bytes.join('.'),
  (bytes) => `${bytes.join('.')}.`,
  (bytes) => String(wholeOf(bytes)),
  (bytes) => `0x${wholeOf(bytes).toString(16)}`,
  (bytes) => `0X${wholeOf(bytes).toString(16).toUpperCase().padStart(8, '0')}`,
  (bytes) => `0${wholeOf(bytes).toString(8)}`,
  (bytes) => bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
  (bytes) => bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
  (bytes) => bytes.map((byte) => `0${byte.toString(8).padStart(11, '0')}`).join('.'),
  ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  ([a, b, c, d]) => `${a}.${b * 65_536 + c * 256 + d}`,
  ([a, b, c, d]) => `0x${a.toString(16)}.0${b.toString(8)}.${c * 256 + d}`,
];
/** As browsers read them: what looks like a digit or a dot is one, and percent signs are decoded. */
const UNICODE_SPELLINGS: readonly ((bytes: Bytes) => string)[] = [
  (bytes) => [...bytes.join('.')].map((sign) => (sign === '.' ? '。' : fullWidth(sign))).join(''),
  (bytes) => [...bytes.join('.')].map((sign) => (sign === '.' ? '．' : circled(sign))).join(''),
  (bytes) => [...bytes.join('.')].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join(''),
  (bytes) => bytes.join('\u00ad.'),
];
/** IPv4 carried in IPv6: mapped, compatible, translated (RFC 2765), NAT64 (RFC 6052, RFC 8215), 6to4. */
const IPV6_SPELLINGS: readonly ((bytes: Bytes) => string)[] = [
  (bytes) => `::ffff:${bytes.join('.')}`,
  (bytes) => `::FFFF:${groupsOf(bytes)}`,
  (bytes) => `0:0:0:0:0:ffff:${groupsOf(bytes)}`,
  (bytes) => `0000:0000:0000:0000:0000:ffff:${bytes.join('.')}`,
  (bytes) => `::ffff:0:${groupsOf(bytes)}`,
  (bytes) => `64:ff9b::${bytes.join('.')}`,
  (bytes) => `64:ff9b::${groupsOf(bytes)}`,
  (bytes) => `64:ff9b:1::${bytes.join('.')}`,
  (bytes) => `2002:${groupsOf(bytes)}::1`,
];

const IPV6_HERE = [
  '::1',
  '0:0:0:0:0:0:0:1',
  '0000:0000:0000:0000:0000:0000:0000:0001',
  '::0001',
  '::',
  '0:0:0:0:0:0:0:0',
  'fe80::1',
  'febf::1',
  'ff02::1',
  'ff0e::1',
  '100::1',
  '::127.0.0.1',
  '::7f00:1',
  '::a9fe:a9fe',
];
/** Private, retired, for documentation, tunnels and routers: no message goes there. */
const IPV6_INSIDE = [
  'fc00::1',
  'fd00::1',
  'fd00:ec2::254',
  'fec0::1',
  '2001:db8::1',
  '2001::1',
  '2001:0:7f00:1::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '3fff::1',
  '3fff:fff::1',
  '5f00::1',
  '100:0:0:1::1',
];
/** By the hosts file; other names of this machine are a matter of who answers for them, which `HERE_ANSWERS` are about. */
const NAMES = ['localhost', 'LOCALHOST', 'LocalHost', 'ｌｏｃａｌｈｏｓｔ', 'loc\u00adalhost', '%6cocalhost'];

type Bytes = readonly [number, number, number, number];

/** Hosts that lead to this machine, to its link or nowhere, as they stand in a URL. */
export const HERE_HOSTS: readonly string[] = [
  ...[...HERE, ...NOWHERE].flatMap((address) => spellingsOf(address)),
  ...IPV6_HERE.map((address) => `[${address}]`),
  ...NAMES,
];
/** Hosts beside this machine that no account may have a message sent to. */
export const INSIDE_HOSTS: readonly string[] = [
  ...INSIDE.flatMap((address) => spellingsOf(address)),
  ...IPV6_INSIDE.map((address) => `[${address}]`),
];
/** What a name may resolve to: the addresses as a resolver answers them. */
export const HERE_ANSWERS: readonly string[] = [...HERE, ...NOWHERE]
  .flatMap((address) => answersOf(address))
  .concat(IPV6_HERE);
export const INSIDE_ANSWERS: readonly string[] = INSIDE.flatMap((address) => answersOf(address)).concat(IPV6_INSIDE);

/** Addresses around a host that naive checks read wrongly; `port` is that of a trap. */
export function urlsAround(host: string, port: number): string[] {
  return [`http://${host}:${port}/`, `https://${host}:${port}/`, `HTTP:\\\\${host}:${port}\\`, `http:${host}:${port}`];
}

/** The same with somebody else's host where a check might look for it, at which nothing may be sent either. */
export function disguisedUrls(host: string, port: number): string[] {
  return [
    `http://hooks.example@${host}:${port}/`,
    `http://hooks.example:80@${host}:${port}/`,
    `http://hooks.example%2f@${host}:${port}/`,
    `http://${host}:${port}#@hooks.example/`,
    `http://${host}:${port}?@hooks.example/`,
    `http://${host}:${port}\\@hooks.example/`,
  ];
}

function spellingsOf(address: string): string[] {
  const bytes = bytesOf(address);
  const ipv6 = IPV6_SPELLINGS.map((spell) => `[${spell(bytes)}]`);
  return [...[...IPV4_SPELLINGS, ...UNICODE_SPELLINGS].map((spell) => spell(bytes)), ...ipv6];
}

function answersOf(address: string): string[] {
  return [address, ...IPV6_SPELLINGS.map((spell) => spell(bytesOf(address)))];
}

function bytesOf(address: string): Bytes {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return [a, b, c, d];
}

function wholeOf([a, b, c, d]: Bytes): number {
  return ((a * 256 + b) * 256 + c) * 256 + d;
}

function groupsOf([a, b, c, d]: Bytes): string {
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function fullWidth(digit: string): string {
  return String.fromCharCode(0xff10 + Number(digit));
}

function circled(digit: string): string {
  return digit === '0' ? '⓪' : String.fromCharCode(0x2460 + Number(digit) - 1);
}
