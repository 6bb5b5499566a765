// What a shell has to do, one check after another; each answers null, or what is wrong.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { ERROR_CODES, SUCCESS } from '@vedette/contract/errors.ts';
import type { KitServer, ShellMessage } from './kit-server.ts';
import { ATTACKS, type Attack } from './relay-page.ts';

export interface ShellCheck {
  readonly name: string;
  readonly run: (kit: KitTalk) => Promise<string | null>;
}

const START_MS = 30_000;
/** The time limit of the topics that are asked, and half as much again for a busy machine. */
const ANSWER_MS = 3000;
/** A shell that does what it must not has done it by then. */
const QUIET_MS = 1000;
const MANY = 200;

/** A request of the page as the kit sends it. */
interface Asked {
  readonly id: string;
  readonly url: string;
  readonly data: object;
  readonly nonce: string;
}

const HELLO = { bridge: { min: 1, max: 1 }, topics: ['system/info'], version: '1', lang: 1 };
const LINK = { url: 'http://192.0.2.7/' };

/** The page's side, with the word of the launch that it is in. */
export class KitTalk {
  readonly server: KitServer;
  readonly #clock: Clock;
  #launch = 0;
  #asked = 0;

  constructor(server: KitServer, clock: Clock) {
    this.server = server;
    this.#clock = clock;
  }

  get nonce(): string {
    return `launch ${this.#launch}`;
  }

  beginLaunch(): void {
    this.#launch += 1;
  }

  request(topic: string, data: object, id?: string): Asked {
    this.#asked += 1;
    return { id: id ?? `kit ${this.#asked}`, url: `/api/v1.0/cs/${topic}`, data, nonce: this.nonce };
  }

  say(message: object): void {
    this.server.order({ kind: 'message', message });
  }

  answersTo(id: string): readonly ShellMessage[] {
    return this.server.heard.filter((message) => message.id === id && message.url === undefined);
  }

  /** The answer; undefined where none comes in time. */
  async ask(topic: string, data: object): Promise<ShellMessage | undefined> {
    const request = this.request(topic, data);
    this.say(request);
    await this.until(() => this.answersTo(request.id).length > 0, ANSWER_MS);
    return this.answersTo(request.id)[0];
  }

  /** False where the condition does not come true in time. */
  async until(isTrue: () => boolean, limitMs: number): Promise<boolean> {
    const end = this.#clock.monotonicMs() + limitMs;
    while (!isTrue()) {
      if (this.#clock.monotonicMs() > end) return false;
      await new Promise<void>((resolve) => this.#clock.after(20, resolve));
    }
    return true;
  }

  async canTalk(): Promise<boolean> {
    return (await this.greet())?.code === SUCCESS;
  }

  /** As the real page: the status first, then the handshake. */
  async greet(): Promise<ShellMessage | undefined> {
    this.beginLaunch();
    const status = await this.ask('account/status', { status: 0 });
    return status?.code === SUCCESS ? await this.ask('system/info', HELLO) : status;
  }
}

export const SHELL_CHECKS: readonly ShellCheck[] = [
  { name: 'loads the page with a transport', run: loadsPage },
  { name: 'answers the status and the handshake', run: greets },
  { name: `answers ${MANY} mixed requests, each once and in order`, run: answersInOrder },
  { name: 'does not answer a repeated id again', run: ignoresRepeated },
  { name: 'ignores what is no message, and goes on', run: ignoresGarbage },
  ...ATTACKS.map((attack) => ({
    name: `refuses another origin by ${attack}`,
    run: (kit: KitTalk) => refuses(kit, attack),
  })),
  { name: 'takes the word of a new launch', run: takesNewWord },
];

async function loadsPage(kit: KitTalk): Promise<string | null> {
  if (!(await kit.until(() => kit.server.loads > 0, START_MS))) return 'the page was not loaded';
  return kit.server.transport === ''
    ? 'the page found none of chrome.webview, vedetteElectron, webkit.messageHandlers, cefQuery'
    : null;
}

async function greets(kit: KitTalk): Promise<string | null> {
  const answer = await kit.greet();
  if (answer?.code !== SUCCESS) return `the handshake was answered with ${JSON.stringify(answer)}`;
  const { bridge, topics } = (answer.data ?? {}) as { bridge?: unknown; topics?: unknown };
  if (bridge !== 1 || !Array.isArray(topics)) return `the handshake says ${JSON.stringify({ bridge, topics })}`;
  return wrongWord(kit, [answer]);
}

async function answersInOrder(kit: KitTalk): Promise<string | null> {
  const kinds = [
    ['system/info', HELLO, SUCCESS],
    ['no/such', {}, ERROR_CODES.functionNotSupported],
    ['link/open', LINK, ERROR_CODES.paramInvalid],
  ] as const;
  const asked = Array.from({ length: MANY }, (_, at) => {
    const [topic, data, code] = kinds[at % kinds.length] ?? kinds[0];
    return { request: kit.request(topic, data), code };
  });
  const ids = new Set(asked.map(({ request }) => request.id));
  const answers = () => kit.server.heard.filter(({ id, url }) => url === undefined && ids.has(String(id)));
  // A side may refuse what comes while 64 wait.
  for (let from = 0; from < MANY; from += 50) {
    for (const { request } of asked.slice(from, from + 50)) kit.say(request);
    const expected = Math.min(from + 50, MANY);
    if (!(await kit.until(() => answers().length >= expected, ANSWER_MS)))
      return `${answers().length} of ${expected} answered in ${ANSWER_MS} ms`;
  }
  const found = answers();
  if (found.length > MANY) return `${found.length} answers to ${MANY} requests`;
  const wrong = asked.findIndex(({ request, code }, at) => found[at]?.id !== request.id || found[at]?.code !== code);
  if (wrong >= 0) return `in place ${wrong}: ${JSON.stringify(found[wrong])}, expected ${JSON.stringify(asked[wrong])}`;
  return wrongWord(kit, found);
}

async function ignoresRepeated(kit: KitTalk): Promise<string | null> {
  const request = kit.request('system/info', HELLO);
  kit.say(request);
  kit.say(request);
  const isTwice = await kit.until(() => kit.answersTo(request.id).length > 1, QUIET_MS);
  if (isTwice) return 'a repeated request was answered twice';
  return kit.answersTo(request.id).length === 1 ? null : 'the first of both was not answered';
}

async function ignoresGarbage(kit: KitTalk): Promise<string | null> {
  const large = kit.request('system/info', { ...HELLO, version: 'x'.repeat(64 * 1024) });
  const deep = kit.request('system/info', { ...HELLO, deep: [[[[[[[[[]]]]]]]]] });
  const odd = [{ ...large, id: '' }, { ...large, id: 'x'.repeat(65), data: HELLO }, { nonce: kit.nonce }];
  for (const one of [large, deep, ...odd]) kit.say(one);
  if ((await kit.ask('system/info', HELLO))?.code !== SUCCESS) return 'the shell answers no more';
  const answered = [large.id, deep.id, '', 'x'.repeat(65)].filter((id) => kit.answersTo(id).length > 0);
  return answered.length === 0 ? null : `answered ${answered.map((id) => id.slice(0, 20)).join(', ')}`;
}

async function refuses(kit: KitTalk, attack: Attack): Promise<string | null> {
  const { server } = kit;
  const foreign = `${server.hostileOrigin}/${attack}`;
  server.order({ kind: 'attack', attack, foreign });
  if (await kit.until(() => server.strayed.length > 0, QUIET_MS)) return `asked ${server.strayed.splice(0).join(', ')}`;
  // Some shells load the page again, which is a new launch.
  if (!(await kit.canTalk())) return 'the page can no longer talk to its shell';
  return server.heard.some(({ id }) => id === 'hostile') ? 'a message of the other origin was heard' : null;
}

async function takesNewWord(kit: KitTalk): Promise<string | null> {
  const { server } = kit;
  const before = server.loads;
  server.order({ kind: 'reload' });
  if (!(await kit.until(() => server.loads > before, START_MS))) return 'the page did not come back';
  const answer = await kit.greet();
  return answer?.code === SUCCESS ? wrongWord(kit, [answer]) : `answered ${JSON.stringify(answer)}`;
}

/** What the shell says carries the word that the page said last; where only the shell can speak it may leave it out. */
function wrongWord({ nonce, server }: KitTalk, messages: readonly ShellMessage[]): string | null {
  const mayLack = server.transport !== 'wkwebview';
  const wrong = messages.find((message) => message.nonce !== nonce && !(mayLack && message.nonce === undefined));
  return wrong === undefined ? null : `the word is ${JSON.stringify(wrong.nonce)}, expected ${JSON.stringify(nonce)}`;
}
