// Passes the wanted part of a stream to a recorder, from the keyframe at or before its start; buffers the pre-roll meanwhile.
import type { AccessUnit, DiscontinuityReason, MediaFormat, SourceState, StreamConsumer } from '../stream/stream.ts';
import { PreRoll } from './pre-roll.ts';
import type { RecordDemand } from './record-demand.ts';

/** The recorder behind the filter. */
export interface FilteredRecorder extends StreamConsumer {
  /** A burst of this many bytes follows, from memory that is held anyway. */
  expectBurst(bytes: number): void;
  /** A pause: nothing more comes for now. */
  rest(): void;
}

/** After so long without frames a stream ends without a keyframe. */
const SILENT_MS = 3000;

export class RecordFilter implements StreamConsumer {
  readonly holdsSlabs = true;
  readonly isPatient = true;
  readonly #recorder: FilteredRecorder;
  readonly #demand: RecordDemand;
  readonly #held = new PreRoll();
  #hasFormat = false;
  #isOpen = false;
  #lastMs = -Infinity;

  constructor(recorder: FilteredRecorder, demand: RecordDemand) {
    this.#recorder = recorder;
    this.#demand = demand;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  format(format: MediaFormat): void {
    this.#hasFormat = true;
    this.#held.clear();
    this.#recorder.format(format);
  }

  accessUnit(unit: AccessUnit): void {
    if (unit.track === 'video') this.#frame(unit);
    if (this.#isOpen) this.#recorder.accessUnit(unit);
    else this.#held.add(unit, this.#demand.holdsMs);
  }

  discontinuity(reason: DiscontinuityReason): void {
    if (this.#isOpen) this.#recorder.discontinuity(reason);
    else this.#held.discontinuity(reason);
  }

  state(state: SourceState): void {
    if (this.#isOpen) this.#recorder.state(state);
  }

  /** Between pictures: an event may be asked for whose recordings are held already; a silent stream has to end too. */
  update(wallMs: number): void {
    if (!this.#hasFormat) return;
    const since = this.#demand.wantedSince(wallMs);
    if (since === null && this.#isOpen && wallMs - this.#lastMs > SILENT_MS) this.#close();
    else if (since !== null && !this.#isOpen) this.#open(since);
  }

  /** The stream is released. */
  leave(): void {
    if (this.#isOpen) this.#close();
    this.#held.clear();
    this.#hasFormat = false;
  }

  #frame({ wallMs, isKey }: AccessUnit): void {
    this.#lastMs = wallMs;
    const since = this.#demand.wantedSince(wallMs);
    if (since === null) {
      // Ends at a keyframe, so that the next event finds its full pre-roll; but never within planned pauses.
      if (this.#isOpen && (isKey || this.#demand.endsSharply(wallMs))) this.#close();
    } else if (!this.#isOpen) {
      if (isKey && since >= wallMs) this.#held.clear();
      this.#open(since);
    }
  }

  #close(): void {
    this.#isOpen = false;
    this.#recorder.rest();
  }

  #open(sinceMs: number): void {
    this.#isOpen = true;
    this.#recorder.discontinuity('connected');
    this.#recorder.expectBurst(this.#held.bytes);
    for (const { broken, units } of this.#held.since(sinceMs)) {
      if (broken) this.#recorder.discontinuity(broken);
      for (const unit of units) this.#recorder.accessUnit(unit);
    }
    this.#held.clear();
  }
}
