// Gives bytes to the user as a file.

export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the address by now, whenever it reads from it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
