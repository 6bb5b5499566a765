// The native client of this machine that waits while its person signs in here at an identity provider: where it listens, kept until the provider sends the browser back.

const KEPT_AS = 'vedette.waitingClient';
const WORD = /^[A-Za-z0-9_-]{43}$/;

export interface WaitingClient {
  /** Of the loopback address. */
  readonly port: number;
  /** The path that it takes an answer at. */
  readonly place: string;
  /** SHA-256 of the word by which it takes the sign-in over. */
  readonly challenge: string;
}

/** As the client wrote it into the address; null where anything is not as it writes it. */
export function waitingClientOf(search: string): WaitingClient | null {
  const parameters = new URLSearchParams(search);
  const [place, challenge] = [parameters.get('place') ?? '', parameters.get('challenge') ?? ''];
  const port = portOf(parameters.get('port') ?? '');
  return port !== null && WORD.test(place) && WORD.test(challenge) ? { port, place, challenge } : null;
}

export function rememberClient({ port, place }: WaitingClient): void {
  sessionStorage.setItem(KEPT_AS, `${port}/${place}`);
}

/** To the client, with the ticket; the client sends the browser back. Nowhere else than to this machine, whatever is stored. */
export function leaveForClient(ticket: string): void {
  const [port = '', place = ''] = (sessionStorage.getItem(KEPT_AS) ?? '').split('/');
  sessionStorage.removeItem(KEPT_AS);
  if (portOf(port) === null || !WORD.test(place)) throw new Error('no client waits');
  window.location.replace(`http://127.0.0.1:${port}/${place}?ticket=${ticket}`);
}

function portOf(text: string): number | null {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : null;
}
