// One device in the list of upgrades: versions, progress, how it ended, and the button that begins it.
import { IconArrowRight } from '@tabler/icons-react';
import type { DeviceUpgrade } from '@vedette/contract/calls/firmware.ts';
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { StatusDot, type StatusTone } from '../../ui/feedback/status-dot.tsx';
import { UsageBar } from '../../ui/feedback/usage-bar.tsx';
import style from './firmware.module.css';
import { isUnderWay } from './firmware.query.ts';

export interface UpgradeRowProps {
  readonly upgrade: DeviceUpgrade;
  readonly onStart: (deviceSerial: string) => Promise<void>;
}

const TONES: Readonly<Partial<Record<DeviceUpgrade['state'], StatusTone>>> = {
  finished: 'online',
  failed: 'offline',
};

export function UpgradeRow({ upgrade, onStart }: UpgradeRowProps) {
  const t = useT();
  const [isBusy, setBusy] = useState(false);
  const { deviceSerial, deviceName, deviceModel, version, newVersion, state, progress, reason, canUpgrade } = upgrade;
  const isGoingOn = isUnderWay(state);
  const begin = async (): Promise<void> => {
    setBusy(true);
    try {
      await onStart(deviceSerial);
    } catch {
      // The call wrapper has said why.
    } finally {
      setBusy(false);
    }
  };
  const words = reason === null ? t(`firmware.state.${state}`) : t(`firmware.reason.${reason}`);
  return (
    <li className={style.row}>
      <div className={style.words}>
        <span className={style.name}>{deviceName}</span>
        <span className={style.dim}>{deviceModel}</span>
      </div>
      <div className={style.versions}>
        <span>{version === '' ? '–' : version}</span>
        {newVersion !== null && (
          <>
            <IconArrowRight size={14} stroke={1.8} aria-label={t('firmware.to')} />
            <strong>{newVersion}</strong>
          </>
        )}
      </div>
      <div className={style.state}>
        {isGoingOn ? (
          <>
            <span className={style.dim} role="status">
              {words}
            </span>
            <UsageBar label={t('firmware.progress', { name: deviceName })} share={progress / 100} tone="normal" />
          </>
        ) : (
          state !== 'none' && <StatusDot tone={TONES[state] ?? 'unknown'} label={words} />
        )}
      </div>
      <Button disabled={!canUpgrade} isBusy={isBusy} onClick={() => void begin()}>
        {t('firmware.start')}
      </Button>
    </li>
  );
}
