// The two scripts that the view puts into every document of the server: the handler of WKWebView for the page, and behind it a world that the page cannot reach.

/** Name of the isolated world, which alone has the way to the shell. */
export const WORLD = 'vedette-shell';
export const HANDLER = 'vedette';

/**
 * In the page's world. WebKitGTK does not say from which frame a message comes, so the top document alone gets a handler; what the page
 * sends before the port came is kept.
 * @param {string} origin
 */
export const pageScript = (origin) => `(() => {
  if (window.top !== window.self || location.origin !== ${JSON.stringify(origin)}) return;
  const early = [];
  let port = null;
  const takePort = (event) => {
    if (event.source !== window || event.data !== 'vedette.port') return;
    event.stopImmediatePropagation();
    removeEventListener('message', takePort, true);
    port = event.ports[0];
    port.onmessage = ({ data }) => window.vedetteShell?.receive(data);
    for (const text of early.splice(0)) port.postMessage(text);
  };
  addEventListener('message', takePort, true);
  const ${HANDLER} = Object.freeze({
    postMessage: (message) => {
      const text = JSON.stringify(message);
      if (port === null) early.push(text);
      else port.postMessage(text);
    },
  });
  const messageHandlers = Object.freeze({ ${HANDLER} });
  Object.defineProperty(window, 'webkit', { value: Object.freeze({ messageHandlers }) });
})()`;

/**
 * In the shell's world. A window that a page opens shares the handlers of its opener, and WebKitGTK does not say from which view a message
 * comes: the shell tells each document the number of its window, which goes along with all that it says.
 * @param {string} origin
 */
export const worldScript = (origin) => `(() => {
  if (window.top !== window.self || location.origin !== ${JSON.stringify(origin)}) return;
  const say = (message) => webkit.messageHandlers.${HANDLER}.postMessage(JSON.stringify(message));
  const { port1, port2 } = new MessageChannel();
  let isBegun = false;
  globalThis.vedetteBegin = (no) => {
    if (isBegun) return;
    isBegun = true;
    say({ window: no, name: window.name });
    port1.onmessage = ({ data }) => say({ window: no, json: String(data) });
  };
  globalThis.vedetteDeliver = (text) => port1.postMessage(JSON.parse(text));
  window.postMessage('vedette.port', location.origin, [port2]);
  say({});
})()`;

/**
 * @typedef {{ window?: undefined } | { window: number, name: string } | { window: number, json: string }} WorldMessage
 * A document asks for its number, begins, or has a message of its page.
 */

/** @param {number} window */
export const beginScript = (window) => `globalThis.vedetteBegin?.(${window})`;

/**
 * Run in the shell's world to hand a message to the page; a start page has nobody to hand it to.
 * @param {string} json
 */
export const deliverScript = (json) => `globalThis.vedetteDeliver?.(${JSON.stringify(json)})`;
