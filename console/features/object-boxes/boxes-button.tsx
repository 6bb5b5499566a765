// The button that shows and hides the boxes of objects.
import { IconObjectScan } from '@tabler/icons-react';
import { useT } from '../../language/use-t.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { toggleBoxes, useBoxesShown } from './box-choice.ts';

export function BoxesButton() {
  const t = useT();
  const isShown = useBoxesShown();
  return (
    <IconButton label={t(isShown ? 'boxes.hide' : 'boxes.show')} shortcut="D" isPressed={isShown} onClick={toggleBoxes}>
      <IconObjectScan size={18} stroke={1.6} />
    </IconButton>
  );
}
