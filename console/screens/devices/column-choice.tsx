// Chooses the columns of the table of devices.
import { IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { Popover } from '../../ui/overlays/popover.tsx';
import { OPTIONAL_COLUMNS, showColumn, useDeviceColumns } from './device-columns.ts';
import style from './devices-screen.module.css';

const WIDTH = 200;

export function ColumnChoice() {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const shown = useDeviceColumns((state) => state.shown);
  const label = t('devices.columns');
  return (
    <Popover
      label={label}
      isOpen={isOpen}
      onToggle={setOpen}
      width={WIDTH}
      control={
        <IconButton label={label} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <IconColumns3 size={16} stroke={1.7} />
        </IconButton>
      }
    >
      <div className={style.columns}>
        {OPTIONAL_COLUMNS.map((column) => (
          <CheckBox
            key={column}
            label={t(`devices.${column}`)}
            isOn={shown.has(column)}
            onToggle={(isOn) => showColumn(column, isOn)}
          />
        ))}
      </div>
    </Popover>
  );
}
