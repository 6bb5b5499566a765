// Gives a text to the user as a file.
import { saveBlob } from './save-blob.ts';

export function saveText(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  void saveBlob(name, new Blob([text], { type }));
}
