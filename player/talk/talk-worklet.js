// Runs on the audio thread: collects what the microphone hears, as one channel, and hands it over in pieces of about 20 ms.
// Plain JavaScript without imports: browsers fetch it as it is.

const PIECE_S = 0.02;

class TalkCapture extends AudioWorkletProcessor {
  constructor() {
    super();
    this.begin();
  }

  begin() {
    this.piece = new Float32Array(Math.round(sampleRate * PIECE_S));
    this.filled = 0;
  }

  process([input]) {
    const channels = input.length;
    const frames = channels === 0 ? 0 : input[0].length;
    for (let frame = 0; frame < frames; frame++) {
      let sum = 0;
      for (let channel = 0; channel < channels; channel++) sum += input[channel][frame];
      this.piece[this.filled++] = sum / channels;
      if (this.filled === this.piece.length) {
        this.port.postMessage(this.piece, [this.piece.buffer]);
        this.begin();
      }
    }
    return true;
  }
}

registerProcessor('vedette-talk-capture', TalkCapture);

// Read as a module by everything that reads it.
export {};
