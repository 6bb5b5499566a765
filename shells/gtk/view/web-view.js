// A web view that shows documents of one server alone, and hands messages of their top frame on.
import Gdk from 'gi://Gdk?version=4.0';
import Gio from 'gi://Gio?version=2.0';
import GLib from 'gi://GLib?version=2.0';
import WebKit from 'gi://WebKit?version=6.0';
import { isOwnDocument, mayLoad } from './navigation-lock.js';
import { beginScript, deliverScript, HANDLER, pageScript, WORLD, worldScript } from './page-scripts.js';

/** @import { WorldMessage } from './page-scripts.js' */

/**
 * @typedef {object} ViewListener
 * @property {() => void} onDocument a document of the server begins
 * @property {(address: string) => void} onRefused a document
 * @property {(what: string, isGranted: boolean) => void} onPermission
 * @property {() => void} onCrashed
 * @property {(address: string) => void} onFailed
 * @property {(address: string, certificate: Gio.TlsCertificate) => void} onUntrusted
 */

const RELOADS = { most: 10, withinUs: 60_000_000 };

const settings = new WebKit.Settings({
  enable_developer_extras: false,
  enable_write_console_messages_to_stdout: false,
  allow_file_access_from_file_urls: false,
  // Walls open further walls; what they show is judged by the lock.
  javascript_can_open_windows_automatically: true,
  // A wall of cameras starts without a click.
  media_playback_requires_user_gesture: false,
  enable_mediasource: true,
  enable_media_stream: true,
});

/** @param {string} profile folder of the profile */
export function openSession(profile) {
  const session = new WebKit.NetworkSession({ data_directory: `${profile}/data`, cache_directory: `${profile}/cache` });
  session.set_tls_errors_policy(WebKit.TLSErrorsPolicy.FAIL);
  return session;
}

/**
 * What web views share with those that their pages open.
 * @param {string} origin
 * @param {(message: WorldMessage) => void} onMessage
 */
export function newContent(origin, onMessage) {
  const content = new WebKit.UserContentManager();
  content.add_script(WebKit.UserScript.new(pageScript(origin), ...TOP_FRAME, null, null));
  content.add_script(WebKit.UserScript.new_for_world(worldScript(origin), ...TOP_FRAME, WORLD, null, null));
  content.register_script_message_handler(HANDLER, WORLD);
  content.connect(`script-message-received::${HANDLER}`, (_content, value) => onMessage(JSON.parse(value.to_string())));
  return content;
}

/**
 * `onBegin` is to be called when a document of the server begins in the view.
 * @param {{ origin: string, session: WebKit.NetworkSession, content: WebKit.UserContentManager, opener: WebKit.WebView | null }} from
 * @param {ViewListener} listener
 */
export function newWebView({ origin, session, content, opener }, listener) {
  const own = { network_session: session, user_content_manager: content };
  // A page that another opened shares its process, its session and its handlers.
  const view = new WebKit.WebView({ settings, ...(opener === null ? own : { related_view: opener }) });
  // Where the page has no ground, the pictures beneath it are seen.
  view.set_background_color(new Gdk.RGBA());
  const reload = newReload(view);
  holdLock(view, origin, listener);
  tellState(view, origin, { ...listener, reload });
  return { view, onBegin: refuseReplaced(view, { ...listener, reload }) };
}

const TOP_FRAME = /** @type {const} */ ([
  WebKit.UserContentInjectedFrames.TOP_FRAME,
  WebKit.UserScriptInjectionTime.START,
]);

/**
 * @param {WebKit.WebView} view
 * @param {string} json
 */
export function deliver(view, json) {
  view.evaluate_javascript(deliverScript(json), -1, WORLD, null, null, null);
}

/**
 * Tells the document of a view the number of its window; one that has begun ignores it.
 * @param {WebKit.WebView} view
 * @param {number} window
 */
export function giveNumber(view, window) {
  view.evaluate_javascript(beginScript(window), -1, WORLD, null, null, null);
}

/**
 * Every hop of a redirect and every frame is judged, before it is asked for and when it answers.
 * @param {WebKit.WebView} view
 * @param {string} origin
 * @param {ViewListener} listener
 */
function holdLock(view, origin, { onRefused, onPermission }) {
  view.connect('decide-policy', (_view, decision, type) => {
    const isAnswer = type === WebKit.PolicyDecisionType.RESPONSE;
    const asked = isAnswer ? decision.get_request() : decision.get_navigation_action().get_request();
    const address = asked.get_uri();
    if (!mayLoad(address, origin)) {
      onRefused(address);
      decision.ignore();
    } else if (isAnswer && isFile(decision)) decision.download();
    else decision.use();
    return true;
  });
  view.connect('permission-request', (_view, request) => {
    const isGranted = mayHave(request);
    if (isGranted) request.allow();
    else request.deny();
    onPermission(request.constructor.name, isGranted);
    return true;
  });
}

/**
 * What the server gives as a file, or WebKit cannot show.
 * @param {WebKit.PolicyDecision} decision
 */
function isFile(decision) {
  const disposition = decision.get_response().get_http_headers()?.get_one('Content-Disposition') ?? '';
  return /^\s*attachment/i.test(disposition) || !decision.is_mime_type_supported();
}

/**
 * After what was refused; not for ever where the page does it each time.
 * @param {WebKit.WebView} view
 */
function newReload(view) {
  /** @type {number[]} */
  let times = [];
  return () => {
    const now = GLib.get_monotonic_time();
    times = times.filter((time) => now - time < RELOADS.withinUs);
    if (times.length >= RELOADS.most) return;
    times.push(now);
    view.reload();
  };
}

/**
 * A `javascript:` address is not judged by WebKit's policies: it runs as the page, and its text takes the place of the document. Such a
 * document begins without a load, and the page is loaded again.
 * @param {WebKit.WebView} view
 * @param {ViewListener & { reload: () => void }} listener
 */
function refuseReplaced(view, { onRefused, reload }) {
  let isLoaded = false;
  view.connect('load-changed', (_view, event) => {
    if (event === WebKit.LoadEvent.COMMITTED) isLoaded = true;
  });
  return () => {
    if (!isLoaded) {
      onRefused('javascript:');
      reload();
    }
    isLoaded = false;
  };
}

/**
 * Notifications, and the microphone for talk; anything else is refused.
 * @param {WebKit.PermissionRequest} request
 */
function mayHave(request) {
  if (request instanceof WebKit.NotificationPermissionRequest) return true;
  if (!(request instanceof WebKit.UserMediaPermissionRequest)) return false;
  return (
    WebKit.user_media_permission_is_for_audio_device(request) &&
    !WebKit.user_media_permission_is_for_video_device(request)
  );
}

/**
 * @param {WebKit.WebView} view
 * @param {string} origin
 * @param {ViewListener & { reload: () => void }} listener
 */
function tellState(view, origin, { onDocument, onCrashed, onFailed, onUntrusted, reload }) {
  view.connect('load-changed', (_view, event) => {
    if (event === WebKit.LoadEvent.COMMITTED && isOwnDocument(view.get_uri() ?? '', origin)) onDocument();
  });
  view.connect('web-process-terminated', () => {
    onCrashed();
    view.reload();
  });
  view.connect('load-failed-with-tls-errors', (_view, address, certificate) => {
    onUntrusted(address, certificate);
    return true;
  });
  view.connect('load-failed', (_view, _event, address, error) => {
    if (isNetworkFailure(error)) onFailed(address);
    // A redirect led out: WebKit cut the connections of the page that stays when the way there began.
    else if (!mayLoad(address, origin)) reload();
    return true;
  });
}

/**
 * Not what was refused, left for another page or taken as a download.
 * @param {GLib.Error} error
 */
function isNetworkFailure(error) {
  if (error.matches(WebKit.PolicyError, WebKit.PolicyError.FRAME_LOAD_INTERRUPTED_BY_POLICY_CHANGE)) return false;
  return (
    !error.matches(WebKit.NetworkError, WebKit.NetworkError.CANCELLED) && !error.matches(Gio.IOErrorEnum, CANCELLED)
  );
}

const { CANCELLED } = Gio.IOErrorEnum;
