// Chooses the cameras whose latest snapshots the overview shows.
import { IconSettings } from '@tabler/icons-react';
import { HOME_CAMERAS } from '@vedette/contract/limits.ts';
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import type { ChannelPlace } from '../../navigation/paths.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Popover } from '../../ui/overlays/popover.tsx';
import { channelKey, placeOfChannelKey } from '../resource-tree/resource-node.ts';
import style from './overview.module.css';

export interface CameraChoiceProps {
  readonly chosen: readonly ChannelPlace[];
  /** By key; undefined while they are not known. */
  readonly names: ReadonlyMap<string, string> | undefined;
  readonly onChoose: (cameras: ChannelPlace[]) => void;
}

/** More rows than anybody looks through: searching is quicker. */
const MOST_ROWS = 100;

export function CameraChoice({ chosen, names, onChoose }: CameraChoiceProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const [sought, setSought] = useState('');
  const keys = chosen.map(({ deviceSerial, channelNo }) => channelKey(deviceSerial, channelNo));
  const seen = keys.filter((key) => names?.has(key));
  const word = sought.trim().toLocaleLowerCase();
  const found = [...(names ?? [])].filter(([, name]) => name.toLocaleLowerCase().includes(word)).slice(0, MOST_ROWS);
  const toggle = (key: string, isOn: boolean): void => {
    const next = isOn ? [...seen, key] : seen.filter((one) => one !== key);
    onChoose(next.map(placeOfChannelKey));
  };
  return (
    <Popover
      label={t('overview.choose')}
      isOpen={isOpen}
      onToggle={setOpen}
      control={
        <Button
          look="quiet"
          icon={<IconSettings size={16} stroke={1.7} />}
          aria-expanded={isOpen}
          disabled={names === undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {t('overview.choose')}
        </Button>
      }
    >
      <div className={style.choice}>
        <TextField
          aria-label={t('overview.search')}
          placeholder={t('overview.search')}
          value={sought}
          onValue={setSought}
          autoComplete="off"
          spellCheck={false}
        />
        <div className={style.choices}>
          {found.map(([key, name]) => (
            <CheckBox
              key={key}
              label={name}
              isOn={seen.includes(key)}
              disabled={!seen.includes(key) && seen.length >= HOME_CAMERAS}
              onToggle={(isOn) => toggle(key, isOn)}
            />
          ))}
          {found.length === 0 && <span className={style.detail}>{t('overview.noMatch')}</span>}
        </div>
        <span className={style.detail}>{t('overview.chooseAtMost', { count: HOME_CAMERAS })}</span>
      </div>
    </Popover>
  );
}
