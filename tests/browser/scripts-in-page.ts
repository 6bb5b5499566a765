// Looks in a page for what a text of the corpus of scripts has done there.
import type { Page } from 'playwright-core';

/** What a payload of the corpus has done: run, or become an element with a handler, an address of a script or a mark. */
export function scriptsIn(root: Page): Promise<string[]> {
  return root.evaluate(() => {
    const isAddress = /^(?:href|xlink:href|src|srcdoc|action|formaction|data|background|content)$/i;
    const isScript = (value: string): boolean => {
      // As browsers read addresses: controls and spaces are gone.
      const read = [...value].filter((sign) => sign > ' ').join('');
      // React writes an error of its own in place of a script.
      if (read.startsWith("javascript:thrownewError('Reacthasblocked")) return false;
      return /^(?:\d+;url=)?(?:javascript|vbscript|data:text|data:,)|evil\.example/i.test(read);
    };
    const isMarked = ({ tagName, attributes }: Element): boolean =>
      [...attributes].some(
        ({ name, value }) =>
          /^on|^data-markup$/i.test(name) ||
          // The address of a picture runs nothing.
          (isAddress.test(name) && !(tagName === 'IMG' && name === 'src') && isScript(value)),
      );
    const marked = [...document.querySelectorAll('*')].filter(isMarked);
    return [...('scriptRan' in window ? ['it ran'] : []), ...marked.map(({ outerHTML }) => outerHTML.slice(0, 200))];
  });
}
