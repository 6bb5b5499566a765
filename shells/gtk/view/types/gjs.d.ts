// What GJS itself offers beside the language: TextEncoder, and print to standard output.
declare function print(text: string): void;
declare module 'system' {
  /** Collects at once, and whole. */
  function gc(): void;
  export default { gc };
}
declare class TextEncoder {
  encode(text: string): Uint8Array;
}
