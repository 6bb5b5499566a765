// Finds what does not fit a page at the width of a phone, or is too small for a finger.
import type { WatchedPage } from '../harness/browser.ts';
import { expectNoProblems } from './signed-in.ts';

const FINGER_PX = 44;

/** What is pushed out of the page sideways, and what can be pressed though it is smaller than a finger. */
export async function phoneMisfits(phone: WatchedPage, name: string): Promise<string[]> {
  await expectNoProblems(phone, name);
  const seen = await phone.page.evaluate((least) => {
    const wide = [document.documentElement, ...document.querySelectorAll('main')].filter(
      (one) => one.scrollWidth > Math.min(one.clientWidth, innerWidth),
    );
    const small = [...document.querySelectorAll<HTMLElement>('button, a[href], input, [role=treeitem]')].filter(
      (one) => {
        const { width, height, bottom } = (one.closest('label') ?? one).getBoundingClientRect();
        // The link past the rail waits above the page for the Tab key.
        const isHidden =
          width <= 1 || bottom <= 0 || !one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
        return !isHidden && (width < least - 0.5 || height < least - 0.5);
      },
    );
    const nameOf = (one: Element): string =>
      `${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent ?? ''} ${JSON.stringify(one.getBoundingClientRect())}`;
    return [...wide.map((one) => `wide: ${nameOf(one)}`), ...small.map((one) => `small: ${nameOf(one)}`)];
  }, FINGER_PX);
  return seen.map((one) => `${name}: ${one}`);
}
