// Takes unwanted characters off the end of a text in one pass from behind; a regular expression such as /\s+$/ tries anew from every one of them.

/** `isDropped` is asked about UTF-16 units. */
export function trimEndOf(text: string, isDropped: (unit: string) => boolean): string {
  let end = text.length;
  while (end > 0 && isDropped(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** `http://www.onvif.org/ver10/media/wsdl/` names what the same without the slash names. */
export function withoutEndSlashes(text: string): string {
  return trimEndOf(text, (unit) => unit === '/');
}
