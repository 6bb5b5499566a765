// The main process: the console of one server in windows of Electron, opened by a start, a second start, or a link.
import { app, type BrowserWindow, type Session, session } from 'electron';
import { isOwn, linkedPage, linkIn, mayHave, SCHEME } from './own-pages.ts';
import { openWindow, raise } from './shell-window.ts';

/** Of a build for one installation; `--server=https://…` is for trying. */
const SERVER = 'https://vedette.example';
const FIRST_PAGE = '/client.html';

const named = process.argv.find((one) => one.startsWith('--server='))?.slice('--server='.length);
const { origin } = new URL(named ?? SERVER);
let windows: readonly BrowserWindow[] = [];
let linkBeforeStart: string | null = linkIn(process.argv);

app.enableSandbox();
if (app.requestSingleInstanceLock()) start();
else app.quit();

function start(): void {
  app.setAsDefaultProtocolClient(SCHEME);
  // Windows shows notifications of programs that have one.
  app.setAppUserModelId('com.example.vedette-shell');
  app.on('window-all-closed', () => app.quit());
  app.on('second-instance', (_event, args) => follow(linkIn(args)));
  // macOS says it so, also before the program is ready.
  app.on('open-url', (event, link) => {
    event.preventDefault();
    if (windows.length === 0) linkBeforeStart = link;
    else follow(link);
  });
  // Not awaited: Electron becomes ready once this module has run to its end.
  void app.whenReady().then(() => open(linkedPage(linkBeforeStart ?? '', origin) ?? new URL(FIRST_PAGE, origin).href));
}

/** A link opens its page in a window of its own: what stands in another is kept. Anything else raises the shell. */
function follow(link: string | null): void {
  const address = link === null ? null : linkedPage(link, origin);
  const [first] = windows;
  if (address !== null) open(address);
  else if (first !== undefined) raise(first);
}

function open(address: string): void {
  const window = openWindow(address, { origin, session: ownSession() });
  windows = [...windows, window];
  window.on('closed', () => {
    windows = windows.filter((one) => one !== window);
  });
}

/** Cookies and storage of its own, documents of the server alone, and no permission for anybody else. */
function ownSession(): Session {
  const own = session.fromPartition('persist:vedette');
  own.setPermissionRequestHandler((_contents, permission, callback, details) => {
    const media = 'mediaTypes' in details ? details.mediaTypes : [];
    callback(isOwn(details.requestingUrl, origin) && mayHave(permission, media));
  });
  own.setPermissionCheckHandler((_contents, permission, asking, { mediaType }) => {
    return isOwn(asking, origin) && mayHave(permission, mediaType === undefined ? [] : [mediaType]);
  });
  const documents = { urls: ['<all_urls>'], types: ['mainFrame' as const, 'subFrame' as const] };
  own.webRequest.onBeforeRequest(documents, ({ url }, callback) => callback({ cancel: !isOwn(url, origin) }));
  return own;
}
