// How a key is written for people: `$mod+k` is Ctrl K, `Shift+ArrowLeft` is ⇧ ←.
const SHOWN: Readonly<Record<string, string>> = {
  'Shift+?': '?',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  Enter: 'Enter',
  Delete: 'Del',
  Space: 'Space',
  $mod: 'Ctrl',
  Shift: '⇧',
};

/** One press in the notation of the registry. */
export function shownKey(press: string): string {
  // The plus of zooming is a key as well as the sign between two keys.
  const parts = press.split(/(?<=.)\+(?=.)/u);
  return SHOWN[press] ?? parts.map((part) => SHOWN[part] ?? part.toUpperCase()).join(' ');
}
