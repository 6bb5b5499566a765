// What a window shows before the console: the shell's scripts have to be in place before any page of the server is.
import { desktopShell as english } from '@vedette/phrases/en/desktop-shell.ts';
import { fill } from '@vedette/phrases/translate.ts';
import { desktopShell as chinese } from '@vedette/phrases/zh-CN/desktop-shell.ts';

export type StartText = keyof typeof english;
export interface StartValues {
  readonly server: string;
  /** SHA-256 of the server's public key, base64. */
  readonly pin?: string;
}

const STYLE =
  'margin:0;display:grid;place-content:center;height:100vh;font:16px system-ui;background:#101418;color:#d5dde5';

/** As a `data:` address. */
export function startPage(key: StartText, values: StartValues, machineLanguage: string): string {
  return `data:text/html,${encodeURIComponent(startHtml(key, values, machineLanguage))}`;
}

/** In the language of the machine, `zh_CN.UTF-8` for instance. */
export function startHtml(key: StartText, values: StartValues, machineLanguage: string): string {
  const text = escaped(fill((isChinese(machineLanguage) ? chinese : english)[key], { ...values }));
  return pageHtml(values.server, `<p style="max-width:60ch">${text}</p>`, machineLanguage);
}

/** `body`: HTML. */
export function pageHtml(title: string, body: string, machineLanguage: string): string {
  const language = isChinese(machineLanguage) ? 'zh-CN' : 'en';
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>${escaped(title)}</title><body style="${STYLE}">${body}`;
}

export function isChinese(machineLanguage: string): boolean {
  return machineLanguage.startsWith('zh');
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
