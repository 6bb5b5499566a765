// One step of somebody who presses whatever is on the screen: chosen by a random number, told in words.
import type { ElementHandle, Page } from 'playwright-core';
import { TYPED_MARK } from './page-faults.ts';

type Random = () => number;

/** Whatever a user can press or fill, and what a pointer can be held on. */
const OPERABLE =
  'button:not([disabled]), a[href], input:not([disabled]), select:not([disabled]), textarea:not([disabled]), [role=tab], [role=menuitem], [role=treeitem], [role=slider], [role=option], summary, canvas';
/** Leads out of the console, ends the session, or removes what the next steps would be about. */
const LEFT_ALONE =
  /sign out|log out|delete|remove|erase|format|reboot|restart|factory|empty|download|withdraw|end all|reset/i;
const SCREENS = [
  'container',
  'container?tab=home',
  'videoPreview',
  'playback',
  'deviceManage',
  'orgManage',
  'myShare',
  'alarmMsg',
  'permissionConfig',
  'personalContainer',
  'resourceManage',
  'costCenter',
  'stasticContainer',
  'edgeIntelligence',
  'floorPlans',
  'system',
] as const;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
  { width: 720, height: 450 },
  { width: 390, height: 844 },
] as const;
const KEYS = [
  'Escape',
  'Enter',
  'Tab',
  'Space',
  'ArrowDown',
  'ArrowRight',
  'f',
  'd',
  'm',
  '?',
  'Control+k',
  'Control+z',
  'Home',
  'End',
];
const TEXTS = [
  '',
  'Gate',
  '北门',
  '7',
  '-1',
  '1e9',
  ' ',
  '<b>x</b>',
  'x'.repeat(300),
  '192.0.2.9',
  "o'brien",
  '2026-02-30',
];
/** Of something that is covered, moves or goes away meanwhile. */
const PATIENCE_MS = 1500;

function oneOf<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

export class RandomUser {
  readonly #page: Page;
  readonly #random: Random;
  readonly #url: string;

  constructor(page: Page, random: Random, url: string) {
    this.#page = page;
    this.#random = random;
    this.#url = url;
  }

  /** Answers what was done. */
  async step(): Promise<string> {
    const chance = this.#random();
    if (chance < 0.04) return await this.#visit();
    if (chance < 0.06) return await this.#back();
    if (chance < 0.08) return await this.#resize();
    if (chance < 0.09) return await this.#reload();
    if (chance < 0.17) return await this.#press();
    return await this.#operate();
  }

  async #visit(): Promise<string> {
    const screen = oneOf(this.#random, SCREENS);
    await this.#page.goto(`${this.#url}/homepage/${screen}`);
    return `went to ${screen}`;
  }

  async #back(): Promise<string> {
    await this.#page.goBack({ timeout: 10_000 }).catch(() => null);
    if (!this.#page.url().startsWith(this.#url)) await this.#visit();
    return 'went back';
  }

  async #resize(): Promise<string> {
    const size = oneOf(this.#random, SIZES);
    await this.#page.setViewportSize(size);
    return `made the window ${size.width} × ${size.height}`;
  }

  async #reload(): Promise<string> {
    await this.#page.reload();
    return 'loaded the page again';
  }

  async #press(): Promise<string> {
    const key = oneOf(this.#random, KEYS);
    await this.#page.keyboard.press(key);
    return `pressed ${key}`;
  }

  async #operate(): Promise<string> {
    const all = await this.#page.$$(OPERABLE);
    // A dialog hides what is behind it: most tries have to meet what can be met.
    for (let tries = 0; tries < 8 && all.length > 0; tries += 1) {
      const one = oneOf(this.#random, all);
      const name = await nameOf(one).catch(() => null);
      if (name === null || LEFT_ALONE.test(name)) continue;
      const done = await this.#use(one, name);
      if (done !== null) return done;
    }
    return await this.#press();
  }

  /** Null where it could not be reached. */
  async #use(one: ElementHandle, name: string): Promise<string | null> {
    const kind = await one.evaluate(
      (node) => `${node.nodeName.toLowerCase()}:${(node as HTMLInputElement).type ?? ''}`,
    );
    const quick = { timeout: PATIENCE_MS };
    try {
      if (kind.startsWith('select')) {
        const count = await one.evaluate((node) => (node as HTMLSelectElement).options.length);
        await one.selectOption({ index: Math.floor(this.#random() * count) }, quick);
        return `chose in ${name}`;
      }
      if (/^(textarea|input:(text|search|number|password|email|url|tel|date|time|datetime-local))/.test(kind)) {
        const text = oneOf(this.#random, TEXTS);
        await one.fill(kind.includes('text') || kind.includes('search') ? text + TYPED_MARK : text, quick);
        return `typed ${JSON.stringify(text.slice(0, 20))} into ${name}`;
      }
      if (kind === 'input:file') return null;
      await one.click({ ...quick, ...(this.#random() < 0.05 && { button: 'right' as const }) });
      return `clicked ${name}`;
    } catch {
      return null;
    }
  }
}

async function nameOf(one: ElementHandle): Promise<string | null> {
  return await one.evaluate((node) => {
    const element = node as HTMLElement;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return null;
    if (element instanceof HTMLAnchorElement && (element.target === '_blank' || element.origin !== location.origin))
      return null;
    const text = element.getAttribute('aria-label') ?? element.textContent ?? '';
    return `${element.tagName.toLowerCase()} "${text.trim().slice(0, 60)}"`;
  });
}
