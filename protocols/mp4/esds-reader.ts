// Reads object type and AudioSpecificConfig out of an esds box (ISO/IEC 14496-1 7.2.6, 14496-14 5.6); usable in browsers.

const TAG = { stream: 3, decoder: 4, specific: 5 } as const;
/** Fields ahead of the nested descriptors: ES_ID and flags, and the decoder configuration's own. */
const HEAD: Readonly<Record<number, number>> = { [TAG.stream]: 3, [TAG.decoder]: 13 };

/** ObjectTypeIndication of JPEG pictures (ISO/IEC 14496-1 table 5). */
export const JPEG_OBJECT = 0x6c;

/** ObjectTypeIndication; null where there is none in it. `content` is what follows the box header, version and flags included. */
export function readObjectType(content: Uint8Array): number | null {
  const decoder = findDescriptor(content, [TAG.stream, TAG.decoder]);
  return decoder?.[0] ?? null;
}

/** Null where there is none in it. `content` as above. */
export function readAudioSpecificConfig(content: Uint8Array): Uint8Array | null {
  return findDescriptor(content, [TAG.stream, TAG.decoder, TAG.specific]);
}

function findDescriptor(content: Uint8Array, path: readonly number[]): Uint8Array | null {
  let at = 4;
  for (const [depth, tag] of path.entries()) {
    if (content[at] !== tag) return null;
    const { size, start } = readSize(content, at + 1);
    if (start + size > content.length) return null;
    if (depth === path.length - 1) return content.subarray(start, start + size);
    at = start + (HEAD[tag] ?? 0);
  }
  return null;
}

/** Seven bits a byte, the highest one set while more follow; at most four bytes. */
function readSize(bytes: Uint8Array, from: number): { size: number; start: number } {
  let size = 0;
  let at = from;
  for (let count = 0; count < 4; count++) {
    const byte = bytes[at++] ?? 0;
    size = size * 128 + (byte & 0x7f);
    if ((byte & 0x80) === 0) break;
  }
  return { size, start: at };
}
