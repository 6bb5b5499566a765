// Detects the exit of the parent process by the end of standard input.

/** Only where standard input is a pipe or a socket: a terminal or /dev/null says nothing of the parent. */
export function watchParent(input: NodeJS.ReadStream & { isTTY?: boolean }, onGone: () => void): void {
  if (input.isTTY) return;
  input.on('end', onGone);
  input.on('error', onGone);
  input.resume();
}
