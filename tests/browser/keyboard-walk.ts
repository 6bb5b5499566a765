// Walks a screen by Tab and reports keyboard accessibility problems: unreachable, without focus ring, without a name, or trapping.
import type { Locator, Page } from 'playwright-core';
import { waitFor } from '../harness/wait-for.ts';

/** Presses between two looks at where one is. */
const PRESSES = 10;

interface Walk {
  /** Descriptions by element, in the order they were reached. */
  readonly reached: Map<Element, string>;
  readonly ringless: Set<string>;
  readonly outOfSight: Set<string>;
  laps: number;
}

/** In the page: notes what Tab reaches, and whether one sees it. */
function begin(): void {
  const still = new CSSStyleSheet();
  still.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important; }');
  document.adoptedStyleSheets = [still];
  const looks = (one: Element | null | undefined): string =>
    [undefined, '::after']
      .map((part) => {
        if (!one) return '';
        const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor } = getComputedStyle(
          one,
          part,
        );
        const outline = outlineStyle === 'none' || outlineWidth === '0px' ? '' : `${outlineWidth} ${outlineColor}`;
        return [outline, boxShadow, borderColor, backgroundColor].join();
      })
      .join('; ');
  /** Of the element, what frames it, the drawn part of a control whose input is hidden, and the row that stands for a list. */
  const around = (one: Element): string =>
    [
      one,
      one.parentElement,
      one.parentElement?.parentElement,
      one.nextElementSibling,
      document.getElementById(one.getAttribute('aria-activedescendant') ?? ''),
    ]
      .map(looks)
      .join('; ');
  const nameOf = (one: Element): string => {
    const by = one.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const labels = [...((one as HTMLInputElement).labels ?? [])];
    const texts = [
      one.getAttribute('aria-label'),
      ...by.map((id) => document.getElementById(id)?.textContent),
      ...labels.map((label) => label.textContent),
      one.textContent,
      one.querySelector('img')?.alt,
      one.getAttribute('title'),
    ];
    return (
      texts
        .find((text) => (text ?? '').trim() !== '')
        ?.trim()
        .replaceAll(/\s+/g, ' ') ?? ''
    );
  };
  const told = (one: Element): string =>
    `${one.tagName.toLowerCase()} ${one.getAttribute('role') ?? one.getAttribute('type') ?? ''} "${nameOf(one).slice(0, 60)}"`;
  const walk: Walk = { reached: new Map(), ringless: new Set(), outOfSight: new Set(), laps: 0 };
  const first: { one: Element | null } = { one: null };
  let held: { one: Element; look: string } | null = null;
  const judge = (one: Element): void => {
    if (walk.reached.has(one)) {
      if (one === first.one) walk.laps += 1;
      return;
    }
    first.one ??= one;
    walk.reached.set(one, told(one));
    const { left, top, right, bottom } = one.getBoundingClientRect();
    if (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight) walk.outOfSight.add(told(one));
    held = { one, look: '' };
  };
  // Before the key moves on, when the page has drawn what it draws for it.
  document.addEventListener(
    'keydown',
    () => {
      if (held !== null && held.one === document.activeElement) held.look = around(held.one);
    },
    true,
  );
  document.addEventListener('focusout', ({ target }) => {
    const before = held;
    if (before === null || before.one !== target || before.look === '') return;
    queueMicrotask(() => {
      if (document.activeElement !== before.one && around(before.one) === before.look)
        walk.ringless.add(told(before.one));
    });
  });
  document.addEventListener('focusin', ({ target }) => judge(target as Element));
  Object.assign(window, { walk, walkTold: told, walkNameOf: nameOf });
  (document.activeElement as HTMLElement | null)?.blur();
}

/** In the page: what somebody with a mouse can press, and whoever has none did not get to. */
function findings(): string[] {
  const { walk, walkTold, walkNameOf } = window as unknown as {
    walk: Walk;
    walkTold: (one: Element) => string;
    walkNameOf: (one: Element) => string;
  };
  const pressable =
    'a[href], button, input, select, textarea, summary, [role=button], [role=link], [role=checkbox], [role=switch], [role=tab], [role=slider], [role=radio], [role=menuitem], [tabindex="0"]';
  /** One stop for Tab, walked inside by arrows. */
  const composite =
    '[role=tablist], [role=tree], [role=radiogroup], [role=listbox], [role=menu], [role=grid], [role=toolbar]';
  const modal = [...document.querySelectorAll('[role=dialog][aria-modal=true]')].at(-1);
  const isThere = (one: Element): boolean => {
    const { width, height } = one.getBoundingClientRect();
    if (width === 0 || height === 0 || !one.checkVisibility({ visibilityProperty: true })) return false;
    return (
      !one.matches(':disabled, [aria-disabled=true], [type=file]') &&
      one.closest('[inert], [aria-hidden=true]') === null
    );
  };
  const isReached = (one: Element): boolean => {
    if (walk.reached.has(one)) return true;
    if (one instanceof HTMLInputElement && one.type === 'radio')
      return [...walk.reached.keys()].some((other) => other instanceof HTMLInputElement && other.name === one.name);
    const group = one.closest(composite);
    if (group === null) return false;
    return [...walk.reached.keys()].some((other) => group.contains(other));
  };
  const all = [...(modal ?? document).querySelectorAll(pressable)].filter(isThere);
  return [
    ...all.filter((one) => !isReached(one)).map((one) => `not reached: ${walkTold(one)}`),
    ...all.filter((one) => walkNameOf(one) === '').map((one) => `no name: ${one.outerHTML.slice(0, 120)}`),
    ...[...walk.ringless].map((one) => `no ring: ${one}`),
    ...[...walk.outOfSight].map((one) => `out of sight: ${one}`),
    ...(walk.laps > 0 ? [] : [`does not let go: ${[...walk.reached.values()].slice(-3).join(', ')}`]),
    ...(modal && [...walk.reached.keys()].some((one) => !modal.contains(one) && !one.hasAttribute('data-focus-guard'))
      ? [`leaves the dialog: ${[...walk.reached].filter(([one]) => !modal.contains(one)).map(([, name]) => name)}`]
      : []),
  ];
}

/** `most`: so many stops at most, for a screen that never ends. */
export async function walkByKeys(page: Page, most = 150): Promise<string[]> {
  await page.evaluate(begin);
  for (let pressed = 0; pressed < most; pressed += PRESSES) {
    for (let press = 0; press < PRESSES; press += 1) await page.keyboard.press('Tab');
    if (await page.evaluate(() => (window as unknown as { walk: Walk }).walk.laps > 0)) break;
  }
  return await page.evaluate(findings);
}

/** Opens by Enter what a button opens, walks in it where it holds the focus, and leaves by Escape: back on the button. */
export async function walkInside(page: Page, opener: Locator): Promise<string[]> {
  await opener.focus();
  await page.keyboard.press('Enter');
  const opened = page
    .locator('[role=dialog], [role=menu], [role=listbox], main aside[tabindex="-1"]')
    .locator('visible=true')
    .last();
  await opened.waitFor();
  await waitFor('the focus inside', () => opened.evaluate((one) => one.contains(document.activeElement)));
  const isDialog = (await opened.getAttribute('aria-modal')) === 'true';
  const found = isDialog ? await walkByKeys(page) : [];
  await page.keyboard.press('Escape');
  const name = await opener.textContent();
  const lost = (what: string) => (): void => void found.push(`${name}: ${what}`);
  await opened.waitFor({ state: 'detached', timeout: 10_000 }).catch(lost('stays open after Escape'));
  const isBack = () => opener.evaluate((one) => one === document.activeElement);
  await waitFor('the focus back where it was', isBack, 5000).catch(lost('the focus is lost after Escape'));
  return found;
}
