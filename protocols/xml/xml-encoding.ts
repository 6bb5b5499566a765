// Decides the character encoding of an XML document from its bytes (XML 1.0 appendix F), trusting the bytes more than the declaration.

/** Devices declare encodings they do not use (`utf-16` over plain ASCII), so a document that is valid UTF-8 is UTF-8. */
export function decodeXmlBytes(bytes: Uint8Array): string {
  const wide = wideEncoding(bytes);
  if (wide !== null) return new TextDecoder(wide).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return new TextDecoder(declaredEncoding(bytes)).decode(bytes);
  }
}

function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [a, b] = bytes;
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return 'utf-16be';
  return null;
}

/** Not valid UTF-8: what the declaration says if that is another known encoding, else GB 18030, the usual undeclared encoding of camera names. */
function declaredEncoding(bytes: Uint8Array): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const label = /encoding\s*=\s*["']([\w.-]+)["']/u.exec(head)?.[1]?.toLowerCase() ?? 'utf-8';
  if (label.startsWith('utf')) return 'gb18030';
  try {
    return new TextDecoder(label).encoding;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return 'gb18030';
  }
}
