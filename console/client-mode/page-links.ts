// What links do inside a shell that offers it: files are saved by the shell, and addresses of other sites open outside of the client.
import { askShell, shellTakes } from '../bridge/native-shell.ts';
import { saveAddress } from '../browser/save-blob.ts';

/** Before the page's own handlers, which then have nothing left to do. */
export function followLinks(page: Document): void {
  page.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (link === null || !URL.canParse(link.href)) return;
      if (link.hasAttribute('download')) saveLink(event, link);
      else if (link.target === '_blank') openLink(event, link);
    },
    { capture: true },
  );
}

function saveLink(event: Event, link: HTMLAnchorElement): void {
  if (!isOwn(link.href) || !shellTakes('file/save')) return;
  event.preventDefault();
  void saveAddress(link.download || fileName(link.href), link.href);
}

function openLink(event: Event, { href }: HTMLAnchorElement): void {
  if (isOwn(href) || !href.startsWith('https://') || !shellTakes('link/open')) return;
  event.preventDefault();
  void askShell('link/open', { url: href });
}

/** The address of a blob has the origin of the page that made it. */
function isOwn(href: string): boolean {
  return new URL(href).origin === location.origin;
}

function fileName(href: string): string {
  return new URL(href).pathname.split('/').at(-1) ?? '';
}
