// A place for one file or several: drop or choose them (VA-11).
import { IconFileUpload } from '@tabler/icons-react';
import { chooseUploadBatch } from '@vedette/rules/validation/upload-batch.ts';
import { type DragEvent, useRef, useState } from 'react';
import { Button } from '../buttons/button.tsx';
import style from './drop-file.module.css';

export interface DropFileProps {
  readonly label: string;
  readonly chooseLabel: string;
  readonly hint: string;
  /** For example `.csv,text/csv`. */
  readonly accept: string;
  /** Name of the file that is held; null for none, or where several are taken. */
  readonly held: string | null;
  /** Takes all that are offered; otherwise the first alone. */
  readonly isMultiple?: boolean;
  readonly isBusy?: boolean;
  readonly onFiles: (files: readonly [File, ...File[]]) => void;
  /** A drop held no file of the accepted kinds. */
  readonly onRefused: () => void;
}

export function DropFile(props: DropFileProps) {
  const { label, chooseLabel, hint, accept, held, isMultiple = false, isBusy = false, onFiles, onRefused } = props;
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = (list: FileList | null, isDropped: boolean): void => {
    const offered = [...(list ?? [])];
    const { files } = chooseUploadBatch({
      files: offered,
      currentCount: 0,
      limit: null,
      isMultiple,
      accept,
      isDropped,
    });
    const [first, ...more] = files;
    if (first !== undefined) onFiles([first, ...more]);
    else if (offered.length > 0) onRefused();
  };
  const over = (event: DragEvent): void => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <section
      className={style.root}
      aria-label={label}
      data-over={isOver || undefined}
      data-held={held !== null || undefined}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (!isBusy) take(event.dataTransfer.files, true);
      }}
    >
      <IconFileUpload size={20} stroke={1.5} aria-hidden="true" />
      <div className={style.words}>
        <p className={style.title}>{held ?? label}</p>
        <p className={style.hint}>{hint}</p>
      </div>
      <Button isBusy={isBusy} onClick={() => input.current?.click()}>
        {chooseLabel}
      </Button>
      <input
        ref={input}
        type="file"
        multiple={isMultiple}
        accept={accept}
        aria-label={chooseLabel}
        hidden
        onChange={(event) => {
          take(event.currentTarget.files, false);
          // The same file may be chosen again after it was mended.
          event.currentTarget.value = '';
        }}
      />
    </section>
  );
}
