// A patrol stop by stop: which preset, how long, in which order.
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@tabler/icons-react';
import { PATROL_LIMITS } from '@vedette/contract/ptz.ts';
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { NumberField } from '../../ui/fields/number-field.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import style from './patrol-editor.module.css';

export interface PatrolStopDraft {
  readonly presetIndex: number;
  /** Seconds. */
  readonly stay: number;
}

export interface PatrolEditorProps {
  readonly isOpen: boolean;
  readonly name: string;
  readonly stops: readonly PatrolStopDraft[];
  readonly presets: readonly { readonly presetIndex: number; readonly name: string }[];
  readonly isBusy: boolean;
  readonly onClose: () => void;
  readonly onSave: (name: string, stops: readonly PatrolStopDraft[]) => void;
}

const WIDTH = 520;

export function PatrolEditor(props: PatrolEditorProps) {
  const t = useT();
  return (
    <Dialog
      isOpen={props.isOpen}
      onClose={props.onClose}
      title={t('ptz.patrolEdit', { name: props.name })}
      closeLabel={t('common.close')}
      width={WIDTH}
    >
      {props.isOpen && <EditorForm {...props} />}
    </Dialog>
  );
}

function EditorForm({ name: given, stops: begun, presets, isBusy, onClose, onSave }: PatrolEditorProps) {
  const t = useT();
  const [name, setName] = useState(given);
  const [stops, setStops] = useState(begun);
  const { least, most, usual } = PATROL_LIMITS.stayS;
  const put = (at: number, part: Partial<PatrolStopDraft>): void =>
    setStops(stops.map((stop, other) => (other === at ? { ...stop, ...part } : stop)));
  const swap = (at: number, other: number): void =>
    setStops(stops.map((stop, index) => (index === at ? stops[other] : index === other ? stops[at] : stop) ?? stop));
  const isWhole = stops.every((stop) => presets.some(({ presetIndex }) => presetIndex === stop.presetIndex));
  const canSave = name.trim() !== '' && !/[<>]/u.test(name) && stops.length > 0 && isWhole;
  return (
    <div className={style.form}>
      <TextField label={t('ptz.patrolTitle')} value={name} maxLength={64} spellCheck={false} onValue={setName} />
      <ol className={style.stops} aria-label={t('ptz.patrolStops')}>
        {stops.map((stop, at) => (
          <li key={`${at} ${stop.presetIndex}`} className={style.stop}>
            <span className={style.number}>{at + 1}</span>
            <SelectField
              label={t('ptz.patrolPreset', { no: at + 1 })}
              isLabelHidden
              value={String(stop.presetIndex)}
              options={optionsWith(presets, stop.presetIndex, t('ptz.patrolGone'))}
              onValue={(value) => put(at, { presetIndex: Number(value) })}
            />
            <NumberField
              label={t('ptz.patrolStay', { no: at + 1 })}
              isLabelHidden
              value={stop.stay}
              min={least}
              max={most}
              unit={t('config.unit.seconds')}
              onValue={(value) => put(at, { stay: Math.max(least, Math.min(most, Math.round(value ?? usual))) })}
            />
            <IconButton label={t('ptz.patrolUp')} size="small" disabled={at === 0} onClick={() => swap(at, at - 1)}>
              <IconArrowUp size={14} stroke={1.8} />
            </IconButton>
            <IconButton
              label={t('ptz.patrolDown')}
              size="small"
              disabled={at === stops.length - 1}
              onClick={() => swap(at, at + 1)}
            >
              <IconArrowDown size={14} stroke={1.8} />
            </IconButton>
            <IconButton
              label={t('ptz.patrolDrop', { no: at + 1 })}
              size="small"
              onClick={() => setStops(stops.filter((_, other) => other !== at))}
            >
              <IconX size={14} stroke={1.8} />
            </IconButton>
          </li>
        ))}
      </ol>
      {stops.length === 0 && <p className={style.empty}>{t('ptz.patrolEmpty')}</p>}
      <Button
        icon={<IconPlus size={15} stroke={2} />}
        disabled={stops.length >= PATROL_LIMITS.stops || presets.length === 0}
        onClick={() => setStops([...stops, { presetIndex: presets[0]?.presetIndex ?? 1, stay: usual }])}
      >
        {t('ptz.patrolStopAdd')}
      </Button>
      <div className={style.actions}>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button look="primary" disabled={!canSave} isBusy={isBusy} onClick={() => onSave(name.trim(), stops)}>
          {t('common.save')}
        </Button>
      </div>
    </div>
  );
}

/** A stop whose preset was deleted since says so: another is chosen, or the stop removed, before it is saved. */
function optionsWith(presets: PatrolEditorProps['presets'], held: number, gone: string) {
  const options = presets.map(({ presetIndex, name }) => ({
    value: String(presetIndex),
    label: `${presetIndex} ${name}`,
  }));
  const isThere = presets.some(({ presetIndex }) => presetIndex === held);
  return isThere ? options : [...options, { value: String(held), label: `${held} ${gone}` }];
}
