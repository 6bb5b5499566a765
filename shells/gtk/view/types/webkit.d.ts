// The part of WebKitGTK 6.0 that the view uses, written after its introspection data in Debian 12 (WebKitGTK 2.50).
declare module 'gi://WebKit?version=6.0' {
  import type GLib from 'gi://GLib?version=2.0';
  import type Gdk from 'gi://Gdk?version=4.0';
  import type Gio from 'gi://Gio?version=2.0';
  import type Gtk from 'gi://Gtk?version=4.0';

  namespace WebKit {
    const LoadEvent: { readonly COMMITTED: number };
    const PolicyDecisionType: { readonly RESPONSE: number };
    const TLSErrorsPolicy: { readonly FAIL: number };
    const UserContentInjectedFrames: { readonly TOP_FRAME: number };
    const UserScriptInjectionTime: { readonly START: number };
    /** Each is also the domain of its errors. */
    const PolicyError: { readonly FRAME_LOAD_INTERRUPTED_BY_POLICY_CHANGE: number };
    const NetworkError: { readonly CANCELLED: number };
    class Settings {
      constructor(options: Readonly<Record<string, boolean>>);
    }
    class NetworkSession {
      constructor(options: { data_directory: string; cache_directory: string });
      set_tls_errors_policy(policy: number): void;
      allow_tls_certificate_for_host(certificate: Gio.TlsCertificate, host: string): void;
      connect(signal: 'download-started', run: (session: NetworkSession, download: Download) => void): number;
    }
    interface Download {
      connect(signal: 'decide-destination', run: (download: Download, name: string) => boolean): number;
      set_allow_overwrite(isAllowed: boolean): void;
      set_destination(path: string): void;
      cancel(): void;
    }
    interface UserScript {
      readonly isUserScript: true;
    }
    const UserScript: {
      'new'(source: string, frames: number, time: number, allowed: null, blocked: null): UserScript;
      new_for_world(
        source: string,
        frames: number,
        time: number,
        world: string,
        ...lists: [allowed: null, blocked: null]
      ): UserScript;
    };
    interface ScriptValue {
      to_string(): string;
    }
    class UserContentManager {
      add_script(script: UserScript): void;
      register_script_message_handler(name: string, world: string): boolean;
      connect(
        signal: `script-message-received::${string}`,
        run: (content: UserContentManager, value: ScriptValue) => void,
      ): number;
    }
    interface URIRequest {
      get_uri(): string;
    }
    /** Its headers are missing where the answer is not of HTTP. */
    interface URIResponse {
      get_http_headers(): { get_one(name: string): string | null } | null;
    }
    interface NavigationAction {
      get_request(): URIRequest;
    }
    /** With the methods of its kinds: of an answer, and of a navigation. */
    interface PolicyDecision {
      get_request(): URIRequest;
      is_mime_type_supported(): boolean;
      get_response(): URIResponse;
      get_navigation_action(): NavigationAction;
      use(): void;
      ignore(): void;
      download(): void;
    }
    class PermissionRequest {
      allow(): void;
      deny(): void;
    }
    class NotificationPermissionRequest extends PermissionRequest {}
    class UserMediaPermissionRequest extends PermissionRequest {}
    function user_media_permission_is_for_audio_device(request: UserMediaPermissionRequest): boolean;
    function user_media_permission_is_for_video_device(request: UserMediaPermissionRequest): boolean;
    interface ViewSignals {
      'notify::title': () => void;
      close: () => void;
      create: () => WebView;
      'ready-to-show': () => void;
      'decide-policy': (view: WebView, decision: PolicyDecision, type: number) => boolean;
      'permission-request': (view: WebView, request: PermissionRequest) => boolean;
      'load-changed': (view: WebView, event: number) => void;
      'web-process-terminated': () => void;
      'load-failed-with-tls-errors': (view: WebView, address: string, certificate: Gio.TlsCertificate) => boolean;
      'load-failed': (view: WebView, event: number, address: string, error: GLib.Error) => boolean;
    }
    class WebView implements Gtk.Widget {
      constructor(
        options: { settings: Settings } & (
          | { network_session: NetworkSession; user_content_manager: UserContentManager }
          | { related_view: WebView }
        ),
      );
      get_scale_factor(): number;
      connect<N extends keyof ViewSignals>(signal: N, run: ViewSignals[N]): number;
      set_background_color(colour: Gdk.RGBA): void;
      get_uri(): string | null;
      get_title(): string | null;
      load_uri(address: string): void;
      load_html(html: string, base: null): void;
      reload(): void;
      evaluate_javascript(
        script: string,
        length: number,
        world: string,
        ...rest: [source: null, cancellable: null, done: null]
      ): void;
    }
  }
  export { WebKit as default };
}
