// One tile that GStreamer plays beneath the page: RTSP into the memory of this process, each frame as a texture of GTK. Without sound.
import Gdk from 'gi://Gdk?version=4.0';
import GLib from 'gi://GLib?version=2.0';
import Gst from 'gi://Gst?version=1.0';
import Gtk from 'gi://Gtk?version=4.0';
import System from 'system';
// The methods of its sink are in namespaces of their own.
import 'gi://GstApp?version=1.0';
import 'gi://GstBase?version=1.0';

/** @import { TilePicture, TilePlace } from '../view-lines.ts' */

/**
 * Debian 12 has no sink for GTK 4. The address is set afterwards: it has a ticket, and errors of parsing quote the text. A machine that
 * is too slow leaves pictures out (`qos`), and begins anew where all come too late. Never packets (`drop-on-latency`): the first of a
 * keyframe are the oldest, and the picture would stay grey.
 */
const PIPELINE =
  'rtspsrc name=source latency=200 protocols=tcp ! application/x-rtp,media=video ! decodebin ' +
  '! videoconvert n-threads=2 ! video/x-raw,format=BGRA ! appsink name=sink qos=true max-lateness=500000000 drop=true max-buffers=1';
/** Longer than cameras are silent, with the start of a stream. */
const SILENCE_S = 10;
const BYTES_PER_PIXEL = 4;
const NS_PER_MS = 1_000_000;
/**
 * Below the 38 MB of buffers after which the engine would collect them bit by bit: GJS lets nothing run between the bits, and without
 * anything that runs none follows. The view would stand still for ever.
 */
const COLLECTED_BYTES = 24_000_000;

/** Of all tiles, since they were collected. */
let copiedBytes = 0;

/**
 * @typedef {object} TileListener
 * @property {(picture: TilePicture) => void} onPlaying the first frame is shown, or one of another size
 * @property {() => void} onLost
 * @property {(count: number) => void} onFrames how many were shown so far, every ten seconds
 */

export class NativeTile {
  #pipeline = /** @type {Gst.Pipeline} */ (Gst.parse_launch(PIPELINE));
  /** As large as it is asked to be, whatever the stream is. */
  #picture = new Gtk.Picture({ can_shrink: true, css_classes: ['native-tile'] });
  #sink = this.#pipeline.get_by_name('sink');
  /** Of the newest frame. */
  #size = { width: 0, height: 0 };
  #frames = 0;
  #framesBefore = 0;
  #watch = 0;
  #place;
  #listener;

  /**
   * @param {Gtk.Fixed} place
   * @param {string} url
   * @param {TileListener} listener
   */
  constructor(place, url, listener) {
    this.#place = place;
    this.#listener = listener;
    place.put(this.#picture, 0, 0);
    this.#pipeline.get_by_name('source').set_property('location', url);
    // Pulled from here: threads of GStreamer cannot call JavaScript.
    this.#picture.add_tick_callback(() => {
      const sample = this.#sink.try_pull_sample(0);
      if (sample !== null) this.#show(sample);
      return true;
    });
    const bus = this.#pipeline.get_bus();
    bus.add_signal_watch();
    bus.connect('message::error', () => listener.onLost());
    bus.connect('message::eos', () => listener.onLost());
    this.#watch = GLib.timeout_add_seconds(GLib.PRIORITY_DEFAULT, SILENCE_S, () => this.#count());
    this.#pipeline.set_state(Gst.State.PLAYING);
  }

  /** @param {TilePlace} place */
  place({ rect, dpr }) {
    const factor = dpr / this.#place.get_scale_factor();
    const [x = 0, y = 0, width = 0, height = 0] = [rect.x, rect.y, rect.width, rect.height].map((length) =>
      Math.round(length * factor),
    );
    // Of a page that is hidden.
    this.#picture.set_visible(width > 0 && height > 0);
    this.#picture.set_size_request(width, height);
    this.#place.move(this.#picture, x, y);
  }

  end() {
    GLib.source_remove(this.#watch);
    this.#pipeline.get_bus().remove_signal_watch();
    this.#pipeline.set_state(Gst.State.NULL);
    this.#place.remove(this.#picture);
  }

  /** @param {Gst.Sample} sample */
  #show(sample) {
    const { width, height } = sizeOf(sample);
    const buffer = sample.get_buffer();
    const bytes = new GLib.Bytes(buffer.extract_dup(0, buffer.get_size()));
    collectCopies(buffer.get_size());
    const stride = width * BYTES_PER_PIXEL;
    this.#picture.set_paintable(Gdk.MemoryTexture.new(width, height, Gdk.MemoryFormat.B8G8R8A8, bytes, stride));
    this.#frames += 1;
    if (width === this.#size.width && height === this.#size.height) return;
    this.#size = { width, height };
    // What GStreamer holds each frame back, so that all come evenly.
    this.#listener.onPlaying({ width, height, delayMs: Math.round(this.#sink.get_latency() / NS_PER_MS) });
  }

  /** Nothing is pulled out of a tile that is not drawn. */
  #count() {
    this.#listener.onFrames(this.#frames);
    if (this.#picture.get_visible() && this.#frames === this.#framesBefore) this.#listener.onLost();
    this.#framesBefore = this.#frames;
    return true;
  }
}

/** @param {number} added bytes */
function collectCopies(added) {
  copiedBytes += added;
  if (copiedBytes < COLLECTED_BYTES) return;
  copiedBytes = 0;
  System.gc();
}

/** @param {Gst.Sample} sample */
function sizeOf(sample) {
  const structure = sample.get_caps().get_structure(0);
  const [, width] = structure.get_int('width');
  const [, height] = structure.get_int('height');
  return { width, height };
}
