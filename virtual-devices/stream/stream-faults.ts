// What a virtual stream does wrong at present; tests change it while clients watch.

export class StreamFaults {
  /** The line stays open and nothing comes. */
  isStalled = false;
  /** The last picture is sent again and again, with times that go on. */
  isFrozen = false;
  /** Every n-th picture carries damaged bytes; 0: none. */
  garbageEvery = 0;
  /** Null: as planned. Infinity: no key picture but the first and those that are asked for. */
  gopSeconds: number | null = null;
  /** Clients that ask for a key picture, or connect, get none. */
  ignoresKeyframeRequests = false;
  /** The description lists every codec the device knows, not only those at work. */
  describesAll = false;
  /** RTP time that passes per second of pictures: 1 is right. */
  timeRate = 1;
  /** Sender reports stay away for so long after a client has come. */
  reportsAfterMs = 0;
  /** Added to the RTP time of the next picture alone, in ticks of 90 kHz. */
  oneOffTicks = 0;
}
