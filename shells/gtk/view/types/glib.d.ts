// The part of GLib, Gio and GStreamer that the view uses, written after their introspection data in Debian 12 (GLib 2.74, GStreamer 1.22): GJS ships no types.
declare module 'gi' {
  export interface Versioned {
    get_major_version(): number;
    get_minor_version(): number;
    get_micro_version(): number;
  }
  const gi: { require(name: string, version: string): Versioned };
  export { gi as default };
}
declare module 'gi://GLib?version=2.0' {
  namespace GLib {
    const PRIORITY_DEFAULT: number;
    class Bytes {
      constructor(data: Uint8Array);
    }
    class MainLoop {
      constructor(context: null, isRunning: boolean);
      run(): void;
      quit(): void;
    }
    interface Error {
      readonly message: string;
      matches(domain: object, code: number): boolean;
    }
    function set_prgname(name: string): void;
    /** Runs again as long as the answer is true. */
    function timeout_add_seconds(priority: number, seconds: number, run: () => boolean): number;
    /** Microseconds. */
    function get_monotonic_time(): number;
    function source_remove(id: number): boolean;
  }
  export { GLib as default };
}
declare module 'gi://Gio?version=2.0' {
  namespace Gio {
    class UnixOutputStream {
      constructor(options: { fd: number; close_fd: boolean });
      write_all(bytes: Uint8Array, cancellable: null): [boolean, number];
    }
    class UnixInputStream {
      constructor(options: { fd: number; close_fd: boolean });
    }
    interface AsyncResult {
      readonly isAsyncResult: true;
    }
    class DataInputStream {
      constructor(options: { base_stream: UnixInputStream });
      read_line_async(priority: number, cancellable: null, done: (source: unknown, result: AsyncResult) => void): void;
      read_line_finish_utf8(result: AsyncResult): [string | null, number];
    }
    interface File {
      get_basename(): string | null;
      get_path(): string | null;
    }
    const File: { new_for_path(path: string): File };
    interface TlsCertificate {
      readonly certificate_pem: string;
    }
    const IOErrorEnum: { readonly CANCELLED: number };
    interface ListModel<T> {
      get_n_items(): number;
      get_item(at: number): T;
      connect(signal: 'items-changed', run: () => void): number;
    }
  }
  export { Gio as default };
}
declare module 'gi://GstApp?version=1.0' {}
declare module 'gi://GstBase?version=1.0' {}
declare module 'gi://Gst?version=1.0' {
  namespace Gst {
    const State: { readonly NULL: number; readonly PLAYING: number };
    interface Buffer {
      get_size(): number;
      extract_dup(offset: number, size: number): Uint8Array;
    }
    interface Sample {
      get_buffer(): Buffer;
      get_caps(): { get_structure(at: number): { get_int(name: string): [boolean, number] } };
    }
    /** With the methods of an appsink. */
    interface Element {
      set_property(name: string, value: string): void;
      try_pull_sample(timeoutNs: number): Sample | null;
      /** Of the whole pipeline, ns. */
      get_latency(): number;
    }
    interface Bus {
      add_signal_watch(): void;
      remove_signal_watch(): void;
      connect(signal: 'message::error' | 'message::eos', run: () => void): number;
    }
    interface Pipeline {
      get_by_name(name: string): Element;
      get_bus(): Bus;
      set_state(state: number): number;
    }
    function init(argv: null): void;
    function parse_launch(text: string): Pipeline;
  }
  export { Gst as default };
}
