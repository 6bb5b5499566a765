// The two scripts that the shell puts into every document: `chrome.webview` for the page, and behind it a world that the page cannot reach.

/** Name of the isolated world, which alone has the way to the shell. */
export const WORLD = 'vedette-shell';
export const BINDING = 'vedetteNative';

/** In the page's world: what the page sends before the port came is kept. The port comes before any script of the page runs. */
export const PAGE_SCRIPT = `(() => {
  if (window.top !== window.self) return;
  const webview = new EventTarget();
  const early = [];
  let port = null;
  const takePort = (event) => {
    if (event.source !== window || event.data !== 'vedette.port') return;
    event.stopImmediatePropagation();
    removeEventListener('message', takePort, true);
    port = event.ports[0];
    port.onmessage = ({ data }) => webview.dispatchEvent(new MessageEvent('message', { data }));
    for (const text of early.splice(0)) port.postMessage(text);
  };
  addEventListener('message', takePort, true);
  webview.postMessage = (message) => {
    const text = JSON.stringify(message);
    if (port === null) early.push(text);
    else port.postMessage(text);
  };
  const chrome = window.chrome ?? {};
  Object.defineProperty(chrome, 'webview', { value: Object.freeze(webview), enumerable: true });
  if (window.chrome === undefined) Object.defineProperty(window, 'chrome', { value: chrome });
})()`;

/** In the shell's world. */
export const WORLD_SCRIPT = `(() => {
  if (window.top !== window.self) return;
  const { port1, port2 } = new MessageChannel();
  const native = globalThis.${BINDING};
  port1.onmessage = ({ data }) => native(String(data));
  globalThis.vedetteDeliver = (text) => port1.postMessage(JSON.parse(text));
  window.postMessage('vedette.port', location.origin, [port2]);
})()`;

/** Run in the shell's world to hand a message to the page. */
export const DELIVER = '(text) => vedetteDeliver(text)';
