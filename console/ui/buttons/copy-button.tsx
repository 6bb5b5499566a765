// Copies a text and says so on the button itself.
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { IconButton } from './icon-button.tsx';

export interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  readonly doneLabel: string;
}

const SHOWN_MS = 1500;

export function CopyButton({ text, label, doneLabel }: CopyButtonProps) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isDone]);
  // Without a secure context the browser offers no clipboard: the text can still be selected.
  if (!('clipboard' in navigator)) return null;
  return (
    <IconButton
      label={isDone ? doneLabel : label}
      size="small"
      tipSide="left"
      onClick={() => void navigator.clipboard.writeText(text).then(() => setDone(true))}
    >
      {isDone ? <IconCheck size={15} stroke={2} /> : <IconCopy size={15} stroke={1.7} />}
    </IconButton>
  );
}
