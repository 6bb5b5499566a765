// Detects the exit of the parent process by the end of standard input.

/** Only if standard input is a pipe or a socket: a terminal or /dev/null says nothing about the parent. */
export function watchParent(input: NodeJS.ReadStream & { isTTY?: boolean }, onExit: () => void): void {
  if (input.isTTY) return;
  input.on('end', onExit);
  input.on('error', onExit);
  input.resume();
}
