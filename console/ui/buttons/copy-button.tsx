// Copies a text and says on the button itself whether it could.
import { IconCheck, IconCopy, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { IconButton } from './icon-button.tsx';

export interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  readonly doneLabel: string;
  readonly failedLabel: string;
}

type Outcome = 'done' | 'failed' | null;

const SHOWN_MS = 1500;

const ICONS = { done: IconCheck, failed: IconX } as const;

export function CopyButton({ text, label, doneLabel, failedLabel }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  // Without a secure context the browser offers no clipboard: the text can still be selected.
  if (!('clipboard' in navigator)) return null;
  // A page in a frame, and a browser that was told so, may not write to it.
  const copy = (): Promise<void> =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome('done'),
      () => setOutcome('failed'),
    );
  const Icon = outcome === null ? IconCopy : ICONS[outcome];
  const labels = { done: doneLabel, failed: failedLabel };
  return (
    <IconButton
      label={outcome === null ? label : labels[outcome]}
      size="small"
      tipSide="left"
      onClick={() => void copy()}
    >
      <Icon size={15} stroke={outcome === null ? 1.7 : 2} />
    </IconButton>
  );
}
