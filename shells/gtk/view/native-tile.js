// One tile that GStreamer plays above the page: RTSP into the memory of this process, each frame as a texture of GTK. Without sound.
import Gdk from 'gi://Gdk?version=4.0';
import GLib from 'gi://GLib?version=2.0';
import Gst from 'gi://Gst?version=1.0';
import Gtk from 'gi://Gtk?version=4.0';
// The methods of its sink are in a namespace of their own.
import 'gi://GstApp?version=1.0';

/** @import { TilePlace } from '../view-lines.ts' */

/**
 * Debian 12 has no sink for GTK 4. The address is set afterwards: it has a ticket, and errors of parsing quote the text. A machine that
 * is too slow leaves frames out (`drop-on-latency`, `qos`) rather than falling behind.
 */
const PIPELINE =
  'rtspsrc name=source latency=200 drop-on-latency=true protocols=tcp ! application/x-rtp,media=video ! decodebin ' +
  '! videoconvert n-threads=2 ! video/x-raw,format=BGRA ! appsink name=sink qos=true max-lateness=500000000 drop=true max-buffers=1';
/** Longer than cameras are silent, with the start of a stream. */
const SILENCE_S = 10;
const BYTES_PER_PIXEL = 4;

export class NativeTile {
  #pipeline = /** @type {Gst.Pipeline} */ (Gst.parse_launch(PIPELINE));
  /** As large as it is asked to be, whatever the stream is. */
  #picture = new Gtk.Picture({ can_shrink: true, css_classes: ['native-tile'] });
  #frames = 0;
  #framesBefore = 0;
  #watch = 0;
  #place;
  #onState;

  /**
   * @param {Gtk.Fixed} place
   * @param {string} url
   * @param {(state: 'playing' | 'lost') => void} onState
   */
  constructor(place, url, onState) {
    this.#place = place;
    this.#onState = onState;
    place.put(this.#picture, 0, 0);
    this.#pipeline.get_by_name('source').set_property('location', url);
    const sink = this.#pipeline.get_by_name('sink');
    // Pulled from here: threads of GStreamer cannot call JavaScript.
    this.#picture.add_tick_callback(() => {
      const sample = sink.try_pull_sample(0);
      if (sample !== null) this.#show(sample);
      return true;
    });
    const bus = this.#pipeline.get_bus();
    bus.add_signal_watch();
    bus.connect('message::error', () => onState('lost'));
    bus.connect('message::eos', () => onState('lost'));
    this.#watch = GLib.timeout_add_seconds(GLib.PRIORITY_DEFAULT, SILENCE_S, () => this.#judgeSilence());
    this.#pipeline.set_state(Gst.State.PLAYING);
  }

  /** @param {TilePlace} place */
  place({ rect, dpr, isCovered }) {
    const factor = dpr / this.#place.get_scale_factor();
    const [x = 0, y = 0, width = 0, height = 0] = [rect.x, rect.y, rect.width, rect.height].map((length) =>
      Math.round(length * factor),
    );
    this.#picture.set_visible(!isCovered);
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
    const stride = width * BYTES_PER_PIXEL;
    this.#picture.set_paintable(Gdk.MemoryTexture.new(width, height, Gdk.MemoryFormat.B8G8R8A8, bytes, stride));
    this.#frames += 1;
    if (this.#frames === 1) this.#onState('playing');
  }

  /** Nothing is pulled out of a tile that is covered. */
  #judgeSilence() {
    if (this.#picture.get_visible() && this.#frames === this.#framesBefore) this.#onState('lost');
    this.#framesBefore = this.#frames;
    return true;
  }
}

/** @param {Gst.Sample} sample */
function sizeOf(sample) {
  const structure = sample.get_caps().get_structure(0);
  const [, width] = structure.get_int('width');
  const [, height] = structure.get_int('height');
  return { width, height };
}
