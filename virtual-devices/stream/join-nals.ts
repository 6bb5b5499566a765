// Joins the NAL units of a picture as the packetiser takes them.

/** NAL units become one length-prefixed access unit, as the packetiser takes it. */
export function joinNals(nals: readonly Uint8Array[]): Buffer {
  const out = Buffer.allocUnsafe(nals.reduce((sum, nal) => sum + 4 + nal.length, 0));
  let at = 0;
  for (const nal of nals) {
    out.writeUInt32BE(nal.length, at);
    out.set(nal, at + 4);
    at += 4 + nal.length;
  }
  return out;
}
