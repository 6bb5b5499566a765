// The page of the kit: hands on what the shell says to the kit, and what the kit says to the shell. It decides nothing itself.

/** What the kit sends to its page. */
export type PageOrder =
  | { readonly kind: 'message'; readonly message: unknown }
  /** A way to a document of another origin, by name; `foreign` is its address. */
  | { readonly kind: 'attack'; readonly attack: Attack; readonly foreign: string }
  | { readonly kind: 'reload' };

const attacks = {
  location: 'location.href = foreign;',
  redirect: "location.href = '/elsewhere?to=' + encodeURIComponent(foreign);",
  open: 'window.open(foreign);',
  frame: "document.body.append(Object.assign(document.createElement('iframe'), { src: foreign }));",
  script: "location.href = 'javascript:location.href=' + JSON.stringify(foreign);",
  form: "const form = Object.assign(document.createElement('form'), { action: foreign, method: 'post' }); document.body.append(form); form.submit();",
};
export type Attack = keyof typeof attacks;
export const ATTACKS = Object.keys(attacks) as Attack[];

const attackTable = Object.entries(attacks).map(([name, code]) => `${name}: (foreign) => { ${code} }`);

/** Of the transports of docs/bridge.md: WebView2, Electron, WKWebView, CEF. */
export const RELAY_PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Vedette kit</title><p>The kit checks this shell.</p><script>
  const attacks = { ${attackTable.join(',\n')} };
  const post = (path, body) => fetch(path, { method: 'POST', body: JSON.stringify(body) });
  let order = Promise.resolve();
  const hear = (message) => { order = order.then(() => post('/heard', { message })); };
  const webview = window.chrome?.webview;
  const handler = window.webkit?.messageHandlers?.vedette;
  let [say, transport] = [null, ''];
  if (webview) { webview.addEventListener('message', ({ data }) => hear(data)); say = (message) => webview.postMessage(message); transport = 'webview2'; }
  else if (window.vedetteElectron) { vedetteElectron.listen((json) => hear(JSON.parse(json))); say = (message) => vedetteElectron.send(JSON.stringify(message)); transport = 'electron'; }
  else if (handler) { window.vedetteShell = { receive: hear }; say = (message) => handler.postMessage(message); transport = 'wkwebview'; }
  else if (window.cefQuery) {
    cefQuery({ request: 'vedette:listen', persistent: true, onSuccess: (text) => hear(JSON.parse(text)), onFailure() {} });
    say = (message) => cefQuery({ request: JSON.stringify(message), onSuccess() {}, onFailure() {} });
    transport = 'cef';
  }
  const orders = new EventSource('/orders?transport=' + transport);
  orders.onmessage = ({ data }) => {
    const given = JSON.parse(data);
    if (given.kind === 'message') say?.(given.message);
    if (given.kind === 'attack') attacks[given.attack](given.foreign);
    if (given.kind === 'reload') location.reload();
  };
</script>`;

/** Of the other origin: tries every way to the shell that a page has. */
export const HOSTILE_PAGE = `<!doctype html><script>
  const message = { id: 'hostile', url: '/api/v1.0/cs/system/info', data: {}, nonce: 'hostile' };
  const ways = [
    () => chrome.webview.postMessage(message),
    () => vedetteElectron.send(JSON.stringify(message)),
    () => webkit.messageHandlers.vedette.postMessage(message),
    () => cefQuery({ request: JSON.stringify(message), onSuccess() {}, onFailure() {} }),
    () => parent.chrome.webview.postMessage(message),
    () => opener.chrome.webview.postMessage(message),
  ];
  for (const way of ways) try { way(); } catch (error) { console.debug(error); }
</script>`;
