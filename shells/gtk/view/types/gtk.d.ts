// The part of GTK 4 that the view uses, written after its introspection data in Debian 12 (GTK 4.8).
declare module 'gi://Gdk?version=4.0' {
  import type GLib from 'gi://GLib?version=2.0';
  import type Gio from 'gi://Gio?version=2.0';

  namespace Gdk {
    interface Monitor {
      get_connector(): string | null;
      get_geometry(): { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
      get_scale_factor(): number;
    }
    interface Display {
      get_monitors(): Gio.ListModel<Monitor>;
    }
    const Display: { get_default(): Display };
    /** Nothing, until it is set: not seen. */
    class RGBA {}
    interface Texture {
      readonly isTexture: true;
    }
    const MemoryFormat: { readonly B8G8R8A8: number };
    const MemoryTexture: {
      'new'(width: number, height: number, format: number, bytes: GLib.Bytes, stride: number): Texture;
    };
    const ModifierType: { readonly CONTROL_MASK: number; readonly ALT_MASK: number };
    const KEY_0: number;
    const KEY_F11: number;
  }
  export { Gdk as default };
}
declare module 'gi://Gtk?version=4.0' {
  import type Gdk from 'gi://Gdk?version=4.0';
  import type Gio from 'gi://Gio?version=2.0';

  namespace Gtk {
    const STYLE_PROVIDER_PRIORITY_APPLICATION: number;
    const PropagationPhase: { readonly CAPTURE: number };
    const FileChooserAction: { readonly SAVE: number };
    const ResponseType: { readonly ACCEPT: number };
    interface Widget {
      get_scale_factor(): number;
    }
    class Picture implements Widget {
      constructor(options: { can_shrink: boolean; css_classes: string[] });
      get_scale_factor(): number;
      add_tick_callback(run: () => boolean): number;
      get_visible(): boolean;
      set_visible(isVisible: boolean): void;
      set_size_request(width: number, height: number): void;
      set_paintable(paintable: Gdk.Texture): void;
    }
    class Overlay implements Widget {
      get_scale_factor(): number;
      add_overlay(widget: Widget): void;
    }
    class Fixed implements Widget {
      get_scale_factor(): number;
      put(widget: Widget, x: number, y: number): void;
      move(widget: Widget, x: number, y: number): void;
      remove(widget: Widget): void;
    }
    class Window implements Widget {
      constructor(options: { title: string; default_width: number; default_height: number; child: Widget });
      get_scale_factor(): number;
      connect(signal: 'close-request', run: () => boolean): number;
      set_title(title: string): void;
      present(): void;
      close(): void;
      /** A property, which hides the method of the same name. */
      readonly is_active: boolean;
      is_fullscreen(): boolean;
      fullscreen(): void;
      unfullscreen(): void;
      fullscreen_on_monitor(monitor: Gdk.Monitor): void;
      add_controller(controller: EventControllerKey): void;
    }
    class EventControllerKey {
      constructor(options: { propagation_phase: number });
      connect(
        signal: 'key-pressed',
        run: (controller: EventControllerKey, key: number, code: number, state: number) => boolean,
      ): number;
    }
    class FileChooserNative {
      constructor(options: { action: number; transient_for: Window | null; modal: boolean });
      connect(signal: 'response', run: (dialog: FileChooserNative, answer: number) => void): number;
      set_current_name(name: string): void;
      get_file(): Gio.File;
      show(): void;
      destroy(): void;
    }
    class CssProvider {
      load_from_data(text: string): void;
    }
    const StyleContext: {
      add_provider_for_display(display: Gdk.Display, provider: CssProvider, priority: number): void;
    };
    function init(): void;
  }
  export { Gtk as default };
}
