// Which cameras can be moved.
const MOVABLE = ['ptz', 'zoom', 'focus', 'iris', 'light', 'wiper'];

export function canMove(capabilities: readonly string[]): boolean {
  return capabilities.some((one) => MOVABLE.includes(one));
}
