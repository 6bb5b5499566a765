// What GJS itself offers beside the language: TextEncoder, and print to standard output.
declare function print(text: string): void;
declare class TextEncoder {
  encode(text: string): Uint8Array;
}
