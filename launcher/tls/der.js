// Writes the ASN.1 DER structures of a certificate (X.690).

/**
 * @param {number} tag
 * @param {...Uint8Array} parts
 * @returns {Buffer}
 */
export function element(tag, ...parts) {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

/** @param {...Uint8Array} parts */
export const sequence = (...parts) => element(0x30, ...parts);

/** @param {...Uint8Array} parts */
export const set = (...parts) => element(0x31, ...parts);

/** @param {Uint8Array} content */
export const octetString = (content) => element(0x04, content);

/**
 * @param {Uint8Array} content
 * @param {number} unusedBits at the end of the last byte
 */
export const bitString = (content, unusedBits = 0) => element(0x03, Buffer.from([unusedBits]), content);

/** @param {string} text */
export const utf8String = (text) => element(0x0c, Buffer.from(text, 'utf8'));

export const derTrue = Buffer.from([0x01, 0x01, 0xff]);

/**
 * @param {number} number of the tag in square brackets
 * @param {...Uint8Array} parts
 */
export const explicit = (number, ...parts) => element(0xa0 | number, ...parts);

/**
 * @param {number} number of the tag in square brackets
 * @param {Uint8Array} content
 */
export const implicit = (number, content) => element(0x80 | number, content);

/** @param {Uint8Array} bytes big-endian and positive */
export function integer(bytes) {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const trimmed = bytes.subarray(start);
  const sign = ((trimmed[0] ?? 0) & 0x80) === 0 ? [] : [0];
  return element(0x02, Buffer.from(sign), trimmed);
}

/** @param {string} dotted for instance 2.5.29.17 */
export function objectIdentifier(dotted) {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const groups = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return element(0x06, Buffer.from(bytes));
}

/**
 * RFC 5280 4.1.2.5: UTCTime up to 2049, GeneralizedTime after.
 * @param {Date} date
 */
export function time(date) {
  const digits = date.toISOString().replace(/[-:T]/g, '').slice(0, 14);
  return date.getUTCFullYear() < 2050
    ? element(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : element(0x18, Buffer.from(`${digits}Z`));
}

/** @param {number} length */
function lengthOf(length) {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = [];
  for (let left = length; left > 0; left >>>= 8) bytes.unshift(left & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}
