// Switches an output on or off, to see what hangs on it.
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import type { ChannelPlace } from '../../navigation/paths.ts';
import { useCaller } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import style from './device-config.module.css';

export interface TryOutputProps {
  readonly place: ChannelPlace;
  readonly output: string;
}

export function TryOutput({ place, output }: TryOutputProps) {
  const t = useT();
  const caller = useCaller();
  const [busy, setBusy] = useState<'on' | 'off' | null>(null);
  const turn = async (isOn: boolean): Promise<void> => {
    setBusy(isOn ? 'on' : 'off');
    try {
      const { deviceSerial, channelNo } = place;
      await caller.ask('config/output/switch', { deviceSerial, channelNo, output, isOn });
    } catch {
      // The call wrapper has said why.
    } finally {
      setBusy(null);
    }
  };
  return (
    <div className={style.line}>
      <span className={style.lineLabel}>{t('config.tryOutput')}</span>
      <div className={style.pair}>
        <Button isBusy={busy === 'on'} onClick={() => void turn(true)}>
          {t('config.turnOn')}
        </Button>
        <Button isBusy={busy === 'off'} onClick={() => void turn(false)}>
          {t('config.turnOff')}
        </Button>
      </div>
    </div>
  );
}
