// What an account opened last with the command palette, in this browser.
const STORAGE_KEY = 'vedette.recentCommands.';
const MOST_KEPT = 20;

export function recentCommands(userId: string): readonly string[] {
  return (localStorage.getItem(STORAGE_KEY + userId) ?? '').split('\n').filter(Boolean);
}

export function noteRecent(userId: string, commandId: string): void {
  const others = recentCommands(userId).filter((id) => id !== commandId);
  localStorage.setItem(STORAGE_KEY + userId, [commandId, ...others].slice(0, MOST_KEPT).join('\n'));
}
