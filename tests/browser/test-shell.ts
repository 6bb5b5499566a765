// A native shell for tests of the client entry (BR-04): receives messages of the page, answers, and sends requests.
import type { Page } from 'playwright-core';

export interface ShellAnswered {
  readonly id: string;
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

/** Knows two devices of its network. In place before the page's own scripts. */
export const TEST_SHELL = `
  const webview = new EventTarget();
  const shell = { nonce: '', answers: [], statuses: [], send: (message) => webview.dispatchEvent(new MessageEvent('message', { data: message })) };
  webview.postMessage = ({ id, url, nonce, ...rest }) => {
    shell.nonce = nonce;
    if (url === undefined) shell.answers.push({ id, ...rest });
    if (url?.endsWith('/cs/account/status')) shell.statuses.push(rest.data.status);
    if (!url?.endsWith('/cs/system/info')) return;
    const lanDeviceList = [{ name: 'Gate', address: '192.0.2.7' }, { name: 'Bad', address: 'javascript:alert(1)' }];
    queueMicrotask(() => shell.send({ id, code: 200, message: 'succeed', data: { lanDeviceList }, nonce }));
  };
  window.chrome = Object.assign(window.chrome ?? {}, { webview });
  window.testShell = shell;
`;

interface ShellWindow {
  readonly testShell: {
    readonly nonce: string;
    readonly answers: readonly ShellAnswered[];
    readonly statuses: readonly number[];
    send(message: object): void;
  };
  readonly vedetteShell?: { receive(message: unknown): void };
}

/** A request as the shell sends it: with the word of the launch, unless it names one itself. */
export async function sendAsShell(page: Page, message: object): Promise<void> {
  await page.evaluate((given) => {
    const { testShell } = window as unknown as ShellWindow;
    testShell.send({ nonce: testShell.nonce, ...given });
  }, message);
}

/** By the way that any script of the page may take. */
export async function handToPage(page: Page, message: unknown): Promise<void> {
  await page.evaluate((given) => (window as unknown as ShellWindow).vedetteShell?.receive(given), message);
}

export async function shellAnswers(page: Page): Promise<readonly ShellAnswered[]> {
  return await page.evaluate(() => (window as unknown as ShellWindow).testShell.answers);
}

/** The status of the account as the page told it, in order. */
export async function shellStatuses(page: Page): Promise<readonly number[]> {
  return await page.evaluate(() => (window as unknown as ShellWindow).testShell.statuses);
}
