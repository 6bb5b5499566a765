// What a virtual stream does wrong at present; tests change it while clients watch.

export class StreamFaults {
  /** The line stays open and nothing comes. */
  isStalled = false;
  /** The last picture is sent again and again, with times that go on. */
  isFrozen = false;
  /** Every n-th picture carries damaged bytes; 0: none. */
  garbageEvery = 0;
  /** Null: as planned. Infinity: no keyframe but the first and those that are asked for. */
  gopSeconds: number | null = null;
  /** Clients that ask for a keyframe, or connect, get none. */
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

/** Overwrites bytes of the payload of the first packet where it is this picture's turn; the framing stays whole. */
export function damagedFrames(frames: Buffer, { garbageEvery }: StreamFaults, pictureNo: number): Buffer {
  if (garbageEvery === 0 || pictureNo % garbageEvery !== 0) return frames;
  const copy = Buffer.from(frames);
  for (let at = 16; at < Math.min(copy.length, 16 + copy.readUInt16BE(2) - 12); at += 3) copy[at] = (at * 151) & 0xff;
  return copy;
}
