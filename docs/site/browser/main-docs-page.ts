// The script of every page of the documentation site: search, and contents that are closed on small screens. It runs from a file too.
import { type Found, searchSections } from '../../../console/features/manual/section-search.ts';
import type { Section } from '../read-page.ts';

const NARROW = '(max-width: 60rem)';

declare global {
  /** Set by the index of the search, which is loaded with the first letter. */
  var documentationSections: readonly Section[] | undefined;
}

function loadIndex(): Promise<readonly Section[]> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = document.body.dataset['index'] ?? '';
    script.addEventListener('load', () => resolve(globalThis.documentationSections ?? []));
    script.addEventListener('error', () => reject(new Error('the index could not be loaded')));
    document.head.append(script);
  });
}

function resultItem(found: Found<Section>): HTMLLIElement {
  const [item, link] = [document.createElement('li'), document.createElement('a')];
  link.href = `${document.body.dataset['base'] ?? '.'}/${found.address}`;
  const [title, excerpt] = [document.createElement('b'), document.createElement('small')];
  title.textContent = found.title === found.pageTitle ? found.title : `${found.pageTitle} › ${found.title}`;
  excerpt.textContent = found.excerpt;
  link.append(title, excerpt);
  item.append(link);
  return item;
}

function startSearch(field: HTMLInputElement, list: HTMLOListElement): void {
  let index: Promise<readonly Section[]> | null = null;
  const show = async (): Promise<void> => {
    index ??= loadIndex();
    const question = field.value;
    const found = searchSections(await index, question);
    if (field.value !== question) return;
    const nothing = document.createElement('li');
    nothing.textContent = document.body.dataset['nothing'] ?? '';
    list.replaceChildren(...(found.length === 0 ? [nothing] : found.map(resultItem)));
    list.hidden = question.trim() === '';
  };
  field.addEventListener('input', () => void show());
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      list.hidden = true;
      return;
    }
    const isWriting = event.target instanceof HTMLInputElement;
    if (event.key === '/' && !isWriting) {
      event.preventDefault();
      field.focus();
    }
    if (event.key === 'ArrowDown' && event.target === field) list.querySelector('a')?.focus();
  });
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !list.contains(target) && target !== field) list.hidden = true;
  });
}

const field = document.querySelector<HTMLInputElement>('#search');
const list = document.querySelector<HTMLOListElement>('#found');
if (field !== null && list !== null) startSearch(field, list);
const contents = document.querySelector<HTMLDetailsElement>('details.contents');
if (contents !== null && matchMedia(NARROW).matches) contents.open = false;
contents?.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' });
