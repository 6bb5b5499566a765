// The overlay while a camera is controlled: drag surface, lens, presets, and why a move ended.
import { IconX } from '@tabler/icons-react';
import { PTZ_SPEED, type PtzCommand } from '@vedette/contract/ptz.ts';
import { type ReactNode, useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { PresetPanel } from './preset-panel.tsx';
import { useCapabilities } from '../live/channel/capabilities.query.ts';
import style from './ptz.module.css';
import { PtzDragSurface } from './ptz-drag-surface.tsx';
import {
  isControlled,
  stopMove,
  startMove,
  type PtzChannel,
  switchOnce,
  withPtzError,
  ptzErrorText,
  usePtzControl,
} from './ptz-control.ts';

const LENS = [
  ['zoom', 'zoomOut', 'zoomIn'],
  ['focus', 'focusNear', 'focusFar'],
  ['iris', 'irisClose', 'irisOpen'],
] as const;

export interface PtzOverlayProps {
  readonly channel: PtzChannel & { readonly name: string };
}

export function PtzOverlay({ channel }: PtzOverlayProps) {
  const isOn = usePtzControl(() => isControlled(channel));
  return isOn ? <PtzControls channel={channel} /> : null;
}

function PtzControls({ channel }: PtzOverlayProps) {
  const t = useT();
  const capabilities = useCapabilities(channel, true);
  const has = (one: string): boolean => capabilities.includes(one);
  return (
    <>
      <PtzDragSurface label={t('ptz.dragHint')} />
      <Trouble />
      <section className={style.panel} aria-label={t('ptz.panel', { name: channel.name })}>
        <Speed />
        <div className={style.lens}>
          {LENS.filter(([axis]) => has(axis)).map(([axis, less, more]) => (
            <div key={axis} className={style.pair} role="group" aria-label={t(`ptz.${axis}`)}>
              <Hold command={less}>−</Hold>
              <span aria-hidden="true">{t(`ptz.${axis}`)}</span>
              <Hold command={more}>+</Hold>
            </div>
          ))}
          <div className={style.switches}>
            {has('light') && <Light />}
            {has('wiper') && <Hold command="wiper">{t('ptz.wiper')}</Hold>}
          </div>
        </div>
        {has('preset') && <PresetPanel channel={channel} />}
      </section>
    </>
  );
}

function Speed() {
  const t = useT();
  const speed = usePtzControl((state) => state.speed);
  return (
    <label className={style.speed}>
      <span>{t('ptz.speed')}</span>
      <input
        type="range"
        min={PTZ_SPEED.least}
        max={PTZ_SPEED.most}
        value={speed}
        onChange={({ target }) => usePtzControl.setState({ speed: Number(target.value) })}
      />
      <output>{speed}</output>
    </label>
  );
}

/** Moves as long as it is pressed, by pointer or key. */
function Hold({ command, children }: { readonly command: PtzCommand; readonly children: ReactNode }) {
  const t = useT();
  const caller = useCaller();
  const isHeld = usePtzControl(({ held }) => held.has(command));
  const isKey = (key: string): boolean => key === ' ' || key === 'Enter';
  return (
    <button
      type="button"
      className={style.hold}
      aria-label={t(`ptz.${command}`)}
      aria-pressed={isHeld}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        startMove(caller, command);
      }}
      onPointerUp={() => stopMove(caller, command)}
      onPointerCancel={() => stopMove(caller, command)}
      onKeyDown={(event) => {
        if (!isKey(event.key)) return;
        event.preventDefault();
        if (!event.repeat) startMove(caller, command);
      }}
      onKeyUp={({ key }) => isKey(key) && stopMove(caller, command)}
      onBlur={() => stopMove(caller, command)}
    >
      {children}
    </button>
  );
}

function Light() {
  const t = useT();
  const caller = useCaller();
  const [isOn, setOn] = useState(false);
  return (
    <button
      type="button"
      className={style.hold}
      aria-pressed={isOn}
      onClick={() => {
        switchOnce(caller, 'light', !isOn);
        setOn(!isOn);
      }}
    >
      {t('ptz.light')}
    </button>
  );
}

function Trouble() {
  const t = useT();
  const trouble = usePtzControl((state) => state.trouble);
  if (trouble === null) return null;
  return (
    <div className={style.trouble} role="alert">
      <span>{ptzErrorText(t, trouble)}</span>
      <button type="button" aria-label={t('ptz.dismiss')} onClick={() => withPtzError(null)}>
        <IconX size={14} />
      </button>
    </div>
  );
}
