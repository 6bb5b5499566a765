// Reads WWW-Authenticate values into challenges and ranks them (RFC 7235 section 2.1, RFC 7616 section 3.3); HTTP and RTSP alike.

const digestAlgorithms = ['MD5', 'SHA-256', 'SHA-512-256'] as const;
export type DigestAlgorithm = (typeof digestAlgorithms)[number];

export interface DigestChallenge {
  readonly scheme: 'digest';
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | null;
  readonly algorithm: DigestAlgorithm;
  /** The word as the server wrote it (echoed back), or null where it wrote none. */
  readonly algorithmText: string | null;
  readonly isSession: boolean;
  /** Null without qop: the response then follows RFC 2069, usual in RTSP. */
  readonly qop: 'auth' | 'auth-int' | null;
  /** True when only the nonce was too old: try again with the same password. */
  readonly isStale: boolean;
}

interface BasicChallenge {
  readonly scheme: 'basic';
  readonly realm: string;
}

export type Challenge = DigestChallenge | BasicChallenge;

/** All usable challenges of all headers of an answer, strongest first; one value may hold several challenges. */
export function parseChallenges(values: readonly string[]): Challenge[] {
  const challenges = values.flatMap(splitChallenges).map(readChallenge);
  return challenges.filter((challenge) => challenge !== null).toSorted((a, b) => strength(b) - strength(a));
}

export interface AuthParameters {
  /** Lower case. */
  readonly scheme: string;
  /** Keys in lower case, values without quotes. */
  readonly parameters: ReadonlyMap<string, string>;
}

// A token, and after `=` its value; a token without `=` starts the next challenge. Commas are optional: devices forget them.
const part = /[\s,]*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*("(?:[^"\\]|\\.)*"?|[^\s,"]*))?/y;

export function splitChallenges(value: string): AuthParameters[] {
  const found: { scheme: string; parameters: Map<string, string> }[] = [];
  part.lastIndex = 0;
  for (let match = part.exec(value); match !== null; match = part.exec(value)) {
    const [, token = '', raw] = match;
    const current = found.at(-1);
    if (raw === undefined) found.push({ scheme: token.toLowerCase(), parameters: new Map() });
    else if (current !== undefined && !current.parameters.has(token.toLowerCase())) {
      current.parameters.set(token.toLowerCase(), unquote(raw));
    }
  }
  return found;
}

function unquote(raw: string): string {
  if (!raw.startsWith('"')) return raw;
  const inner = raw.endsWith('"') && raw.length > 1 ? raw.slice(1, -1) : raw.slice(1);
  return inner.replace(/\\(["\\])/gu, '$1');
}

function readChallenge({ scheme, parameters }: AuthParameters): Challenge | null {
  const realm = parameters.get('realm') ?? '';
  if (scheme === 'basic') return { scheme, realm };
  const nonce = parameters.get('nonce');
  if (scheme !== 'digest' || nonce === undefined) return null;
  const algorithmText = parameters.get('algorithm') ?? null;
  const algorithm = readAlgorithm(algorithmText);
  const qop = readQop(parameters.get('qop'));
  if (algorithm === null || qop === undefined) return null;
  const isStale = parameters.get('stale')?.toLowerCase() === 'true';
  const opaque = parameters.get('opaque') ?? null;
  return { scheme, realm, nonce, opaque, algorithmText, qop, isStale, ...algorithm };
}

function readAlgorithm(text: string | null): { algorithm: DigestAlgorithm; isSession: boolean } | null {
  const wanted = (text ?? '').toUpperCase();
  const isSession = wanted.endsWith('-SESS');
  const base = isSession ? wanted.slice(0, -5) : wanted;
  const algorithm = base === '' ? 'MD5' : digestAlgorithms.find((known) => known === base);
  return algorithm === undefined ? null : { algorithm, isSession };
}

/** Undefined when every offered qop is unknown to us, so that the challenge cannot be answered. */
function readQop(text: string | undefined): DigestChallenge['qop'] | undefined {
  const offered = (text ?? '')
    .toLowerCase()
    .split(/[\s,]+/u)
    .filter((word) => word !== '');
  if (offered.length === 0) return null;
  if (offered.includes('auth')) return 'auth';
  return offered.includes('auth-int') ? 'auth-int' : undefined;
}

function strength(challenge: Challenge): number {
  return challenge.scheme === 'basic' ? -1 : digestAlgorithms.indexOf(challenge.algorithm);
}
