// Runs on the audio thread: plays one tile's samples from a ring buffer, resampled to the device, and reports its position.
// Plain JavaScript without imports: browsers fetch it as it is.

/** Longest buffered audio, seconds; older is dropped. */
const RING_S = 4;
/** Above this much unplayed audio, playback skips to the newest half. */
const FULL = 0.9;
/** Renderings of 128 frames between two reports. */
const REPORT_EVERY = 16;
/** Fade-in after a cut, samples, against clicks. */
const FADE = 96;

class AudioRing extends AudioWorkletProcessor {
  constructor() {
    super();
    this.reset(8000, 1);
    this.port.onmessage = ({ data }) => this.take(data);
  }

  reset(rate, channels) {
    this.rate = rate;
    this.size = rate * RING_S;
    this.ring = Array.from({ length: channels }, () => new Float32Array(this.size));
    /** Both count samples since the reset; `at` has a fraction. */
    this.end = 0;
    this.at = 0;
    /** Capture times: sample `index` was captured at `wallMs`. */
    this.marks = [];
    this.ratio = 1;
    this.silence = 0;
    this.gain = 0;
    this.starved = 0;
    this.rendered = 0;
  }

  take(order) {
    if (order.type === 'format') this.reset(order.rate, order.channels);
    else if (order.type === 'samples') this.append(order);
    else if (order.type === 'ratio') this.ratio = order.ratio;
    else if (order.type === 'jump') this.jump(order.ms);
  }

  append({ wallMs, channels }) {
    const count = channels[0].length;
    this.ring.forEach((ring, channel) => {
      const samples = channels[channel] ?? channels[0];
      const place = this.end % this.size;
      const first = Math.min(count, this.size - place);
      ring.set(samples.subarray(0, first), place);
      ring.set(samples.subarray(first, count), 0);
    });
    this.marks.push({ index: this.end, wallMs });
    this.end += count;
    if (this.end - this.at > this.size * FULL) this.cutTo(this.end - this.size / 2);
  }

  jump(ms) {
    if (ms > 0) this.cutTo(Math.min(this.end, this.at + (ms * this.rate) / 1000));
    else this.silence = (-ms * sampleRate) / 1000;
    this.gain = 0;
  }

  cutTo(at) {
    this.at = at;
    this.gain = 0;
  }

  process(_inputs, [output]) {
    const frames = output[0].length;
    const step = (this.rate / sampleRate) * this.ratio;
    for (let frame = 0; frame < frames; frame++) {
      if (this.silence > 0) {
        this.silence--;
        continue;
      }
      if (this.at + 2 >= this.end) {
        this.starved++;
        this.gain = 0;
        continue;
      }
      this.gain = Math.min(1, this.gain + 1 / FADE);
      for (let channel = 0; channel < output.length; channel++) {
        output[channel][frame] = this.sample(this.ring[Math.min(channel, this.ring.length - 1)]) * this.gain;
      }
      this.at += step;
    }
    this.rendered++;
    if (this.rendered % REPORT_EVERY === 0) this.report();
    return true;
  }

  /** Cubic (Catmull-Rom) interpolation of four samples: smooth enough for 8 kHz speech on a 48 kHz device. */
  sample(ring) {
    const whole = Math.floor(this.at);
    const t = this.at - whole;
    const [a, b, c, d] = [-1, 0, 1, 2].map((by) => ring[Math.max(0, whole + by) % this.size]);
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
  }

  report() {
    while (this.marks.length > 1 && this.marks[1].index <= this.at) this.marks.shift();
    const [mark] = this.marks;
    if (!mark || this.end === 0) return;
    const wallMs = mark.wallMs + ((this.at - mark.index) / this.rate) * 1000;
    const isSilent = this.silence > 0 || this.at + 2 >= this.end;
    this.port.postMessage({ wallMs, contextTime: currentTime, isSilent, starved: this.starved });
    this.starved = 0;
  }
}

registerProcessor('vedette-sound-ring', AudioRing);

// Makes this file a module for tools.
export {};
