// Puts audio frames into RTP payloads: one AAC frame with its AU header (RFC 3640 3.3.6), or G.711 as it is.

/** The payload of one AAC frame in mode AAC-hbr; the marker bit is always set. */
export function packetiseAac(frame: Buffer): Buffer {
  const payload = Buffer.allocUnsafe(frame.length + 4);
  payload.writeUInt16BE(16, 0);
  payload.writeUInt16BE((frame.length << 3) & 0xffff, 2);
  frame.copy(payload, 4);
  return payload;
}

/** G.711 needs no payload header; frames are cut at `samples`, 160 being 20 ms. */
export function packetiseG711(sound: Buffer, samples = 160): Buffer[] {
  const payloads: Buffer[] = [];
  for (let at = 0; at < sound.length; at += samples) payloads.push(sound.subarray(at, at + samples));
  return payloads;
}
