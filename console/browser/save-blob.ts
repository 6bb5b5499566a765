// Gives a file to the user: by the native shell where it saves files, else as a download of the browser.
import { askShell } from '../bridge/native-shell.ts';

/** `url`: of a blob, or below the page's own origin. */
export async function saveAddress(name: string, url: string): Promise<void> {
  if ((await askShell('file/save', { name, url })) !== null) return;
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

export async function saveBlob(name: string, blob: Blob): Promise<void> {
  const url = URL.createObjectURL(blob);
  await saveAddress(name, url);
  // The browser has taken the address by now, whenever it reads from it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
