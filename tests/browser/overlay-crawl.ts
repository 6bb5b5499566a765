// Presses everything on a page of the console, and everything in what opens, and tells what opened.
import type { Page } from 'playwright-core';
import type { OpenOverlay } from './console-overlays.ts';

export interface CrawlOptions {
  readonly page: Page;
  /** After each step; `where` in words. */
  readonly onStep: (where: string, open: readonly OpenOverlay[]) => Promise<void>;
}

/** What is on top: its controls by what they are rather than by what others wrote on them. */
interface Layer {
  /** Empty: the page itself, with its inspectors. */
  readonly title: string;
  readonly marks: readonly string[];
  readonly open: readonly OpenOverlay[];
}

/** Of something that is covered or goes away meanwhile. */
const PATIENCE_MS = 700;
/** A layer that closed before all of it was pressed is opened as often. */
const MOST_OPENINGS = 12;
/** Of one screen: whatever makes new controls for ever ends there. */
const MOST_STEPS = 400;
/** What leads out of the console, ends the session, covers the browser itself, or changes the language in which titles are known. */
const LEFT_ALONE = /sign out|log out|end all|full ?screen|collapse nav|expand nav|Language and theme: /i;

export class OverlayCrawl {
  readonly #options: CrawlOptions;
  /** By layer and control. */
  readonly #pressed = new Set<string>();
  /** How often each control has opened its layer. */
  readonly #openings = new Map<string, number>();
  #steps = 0;

  constructor(options: CrawlOptions) {
    this.#options = options;
  }

  get steps(): number {
    return this.#steps;
  }

  /** `arrive`: from anywhere to the screen. */
  async crawl(screen: string, arrive: () => Promise<void>): Promise<void> {
    const { page } = this.#options;
    await arrive();
    const { pathname } = new URL(page.url());
    /** What opened the layers that are open, the lowest first. */
    const openers: string[] = [];
    const end = this.#steps + MOST_STEPS;
    while (this.#steps < end) {
      if (new URL(page.url()).pathname !== pathname) await arrive();
      const layer = await page.evaluate(readLayer);
      const place = layer.title === '' ? screen : ours(layer.title);
      // The last first: what a tab has brought comes before the next tab.
      const mark = layer.marks.findLast(
        (one) => !this.#pressed.has(keyOf(place, one)) && !LEFT_ALONE.test(`${place}: ${one}`),
      );
      if (mark === undefined) {
        if (layer.title === '') return;
        await this.#close(layer);
        openers.pop();
        continue;
      }
      this.#pressed.add(keyOf(place, mark));
      if (!(await this.#press(mark))) continue;
      const next = await this.#look(`${place}: ${mark}`);
      if (next.title !== '' && next.title !== layer.title) openers.push(keyOf(place, mark));
      else if (next.title !== layer.title) this.#openAgain(openers.pop());
    }
  }

  /** A layer that its own button closed may hold more. */
  #openAgain(opener: string | undefined): void {
    if (opener === undefined) return;
    const count = (this.#openings.get(opener) ?? 0) + 1;
    this.#openings.set(opener, count);
    if (count < MOST_OPENINGS) this.#pressed.delete(opener);
  }

  /** By Escape; a page that keeps it open is loaded again. */
  async #close(layer: Layer): Promise<void> {
    const { page } = this.#options;
    await page.keyboard.press('Escape');
    const next = await this.#look(`closed ${ours(layer.title)}`);
    if (next.title === layer.title && next.open.length >= layer.open.length) await page.reload();
  }

  async #look(where: string): Promise<Layer> {
    const { page, onStep } = this.#options;
    this.#steps += 1;
    await page.evaluate(atRest).catch(() => undefined); // a page that goes on to another one is looked at there
    const layer = await page.evaluate(readLayer);
    await onStep(where, layer.open);
    return layer;
  }

  /** False where it could not be reached. */
  async #press(mark: string): Promise<boolean> {
    const found = (await this.#options.page.evaluateHandle(findControl, mark)).asElement();
    if (found === null) return false;
    const how = { timeout: PATIENCE_MS, ...(mark.startsWith('place ') && { button: 'right' as const }) };
    const isPressed = () =>
      found.click(how).then(
        () => true,
        () => false, // covered, moved or gone
      );
    if (await isPressed()) return true;
    // A list of choices may cover it.
    await this.#options.page.keyboard.press('Escape');
    return await isPressed();
  }
}

/** What every screen has beside it is pressed once. */
function keyOf(place: string, mark: string): string {
  return / in NAV /.test(mark) ? mark : `${place} ${mark}`;
}

/** A title as far as it is ours: texts of others are different ones each time. */
function ours(title: string): string {
  return title.replace(/[<&{[\\"'`+%$#;)*\]｜＜].*/su, '…').slice(0, 60);
}

/** Runs in the page: two frames, and what was asked of the server in them has been answered. */
async function atRest(): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  await frame();
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 }));
}

/** Runs in the page. Gives each control of what is on top a mark, the same for those that are alike. */
function readLayer(): Layer {
  const shown = (one: Element) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const titleOf = (one: Element): string => {
    const by = one.getAttribute('aria-labelledby');
    const heading = (by && document.getElementById(by)) || one.querySelector('h1, h2, h3');
    return (one.getAttribute('aria-label') ?? heading?.textContent ?? '?').trim();
  };
  const layers = [...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu]')].filter(shown);
  const asides = [...document.querySelectorAll('aside[aria-label]')].filter(shown);
  const open = [...layers, ...asides].map((one) => ({
    title: titleOf(one),
    text: (one as HTMLElement).innerText.slice(0, 20_000),
  }));
  const top = layers.at(-1) ?? document.body;
  const operable =
    'button:not([disabled]), [role=menuitem], [role=menuitemradio], [role=treeitem], [role=row], tbody tr, [role=option], [role=tab], [data-cell], input[type=radio] + label, summary, [role=switch], [role=combobox]';
  const marks = [...top.querySelectorAll<HTMLElement>(operable)].filter(shown).flatMap((node) => {
    const text = (node.getAttribute('aria-label') ?? node.innerText ?? '').trim();
    const isOurs = text.length < 48 && !/[<>{}&\\%$#=`]|scriptRan/.test(text);
    const parent = node.closest('nav, header, section, aside, [role=tabpanel], [role=toolbar], table, li, form');
    const role = node.getAttribute('role') ?? '';
    const words = isOurs ? text.replace(/\d+/g, '0') : '…';
    const look = `${node.tagName}.${role} in ${parent?.tagName ?? ''} ${words}`;
    node.dataset['crawl'] = look;
    const isPlace = /^(?:row|treeitem)$/.test(role) || node.tagName === 'TR' || node.hasAttribute('data-cell');
    return isPlace ? [`press ${look}`, `place ${look}`] : [`press ${look}`];
  });
  return { title: layers.length === 0 ? '' : titleOf(top), marks: [...new Set(marks)], open };
}

/** Runs in the page. */
function findControl(mark: string): Element | null {
  const wanted = mark.replace(/^(?:place|press) /, '');
  const marked = [...document.querySelectorAll<HTMLElement>('[data-crawl]')];
  return marked.findLast((one) => one.dataset['crawl'] === wanted && one.checkVisibility()) ?? null;
}
