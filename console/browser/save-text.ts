// Gives a text to the user as a file.

export function saveText(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the address by now, whenever it reads from it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
