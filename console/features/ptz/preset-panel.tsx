// Presets with their pictures, and patrols: gone to by one click, kept, renamed and removed in place.
import { IconPencil, IconPhoto, IconPlayerPlay, IconPlayerStop, IconPlus, IconTrash } from '@tabler/icons-react';
import type { Patrol } from '@vedette/contract/calls/ptz.ts';
import { PATROL_LIMITS } from '@vedette/contract/ptz.ts';
import { type FormEvent, useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { ShownImage } from '../../ui/feedback/shown-image.tsx';
import { PatrolEditor } from './patrol-editor.tsx';
import { usePatrols, usePresetChange, usePresets } from './preset.query.ts';
import style from './ptz.module.css';
import type { PtzChannel } from './ptz-control.ts';

interface ChannelProps {
  readonly channel: PtzChannel;
}

interface ShownPreset {
  readonly presetIndex: number;
  readonly name: string;
  readonly image: string;
}

export function PresetPanel({ channel }: ChannelProps) {
  const t = useT();
  const { data, isPending, isError, refetch } = usePresets(channel);
  const add = usePresetChange('preset/add', channel);
  const [isNaming, setNaming] = useState(false);
  const presets = data?.presetList ?? [];
  return (
    <div className={style.presets}>
      <h3>{t('ptz.presets')}</h3>
      {isError && (
        <p className={style.note}>
          {t('ptz.presetsFailed')}{' '}
          <button type="button" className={style.plain} onClick={() => void refetch()}>
            {t('ptz.retry')}
          </button>
        </p>
      )}
      {!isPending && !isError && presets.length === 0 && <p className={style.note}>{t('ptz.presetsEmpty')}</p>}
      <ul aria-label={t('ptz.presets')} aria-busy={isPending}>
        {presets.map((preset) => (
          <PresetRow key={preset.presetIndex} channel={channel} preset={preset} />
        ))}
      </ul>
      {isNaming ? (
        <NameForm
          name=""
          onCancel={() => setNaming(false)}
          onName={(name) => add.mutate({ name }, { onSuccess: () => setNaming(false) })}
        />
      ) : (
        <button type="button" className={style.add} onClick={() => setNaming(true)} disabled={isPending || isError}>
          <IconPlus size={14} aria-hidden="true" /> {t('ptz.presetAdd')}
        </button>
      )}
      {presets.length > 1 && <PatrolList channel={channel} presets={presets} />}
    </div>
  );
}

function PresetRow({ channel, preset }: ChannelProps & { readonly preset: ShownPreset }) {
  const t = useT();
  const go = usePresetChange('preset/goto', channel);
  const rename = usePresetChange('preset/update', channel);
  const remove = usePresetChange('preset/delete', channel);
  const [mode, setMode] = useState<'shown' | 'renaming' | 'removing'>('shown');
  const { presetIndex, image } = preset;
  const name = preset.name.trim() === '' ? t('ptz.presetNo', { no: presetIndex }) : preset.name;
  if (mode === 'renaming') {
    const done = { onSuccess: () => setMode('shown') };
    return (
      <li>
        <NameForm
          name={preset.name}
          onCancel={() => setMode('shown')}
          onName={(next) => rename.mutate({ presetIndex, name: next }, done)}
        />
      </li>
    );
  }
  return (
    <li className={style.preset} data-removing={mode === 'removing' || undefined}>
      <button
        type="button"
        className={style.go}
        aria-label={t('ptz.presetGoto', { name: `${presetIndex} ${name}` })}
        disabled={go.isPending}
        onClick={() => go.mutate({ presetIndex })}
      >
        {image === '' ? <IconPhoto size={18} stroke={1.3} aria-hidden="true" /> : <ShownImage src={image} alt="" />}
        <span>
          <i>{presetIndex}</i> {name}
        </span>
      </button>
      {mode === 'removing' ? (
        <span className={style.sure}>
          {t('ptz.presetDeleteSure')}
          <button type="button" className={style.danger} onClick={() => remove.mutate({ presetIndex })}>
            {t('ptz.presetDelete', { name })}
          </button>
          <button type="button" className={style.plain} onClick={() => setMode('shown')}>
            {t('ptz.presetCancel')}
          </button>
        </span>
      ) : (
        <span className={style.edit}>
          <button type="button" aria-label={t('ptz.presetRename', { name })} onClick={() => setMode('renaming')}>
            <IconPencil size={14} />
          </button>
          <button type="button" aria-label={t('ptz.presetDelete', { name })} onClick={() => setMode('removing')}>
            <IconTrash size={14} />
          </button>
        </span>
      )}
    </li>
  );
}

interface NameFormProps {
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly onCancel: () => void;
}

function NameForm({ name, onName, onCancel }: NameFormProps) {
  const t = useT();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget).get('name');
    if (typeof given === 'string' && given.trim() !== '') onName(given.trim());
  };
  return (
    <form className={style.naming} onSubmit={submit} onKeyDown={({ key }) => key === 'Escape' && onCancel()}>
      <input
        name="name"
        autoFocus
        defaultValue={name}
        maxLength={64}
        pattern="[^<>]*"
        aria-label={t('ptz.presetName')}
      />
      <button type="submit" className={style.plain}>
        {t('ptz.presetSave')}
      </button>
      <button type="button" className={style.plain} onClick={onCancel}>
        {t('ptz.presetCancel')}
      </button>
    </form>
  );
}

function PatrolList({ channel, presets }: ChannelProps & { readonly presets: readonly ShownPreset[] }) {
  const t = useT();
  const { data } = usePatrols(channel);
  const save = usePresetChange('patrol/save', channel);
  const patrols = data?.patrolList ?? [];
  const own = patrols.filter(({ isDeviceOwn }) => !isDeviceOwn);
  const stopList = presets
    .slice(0, PATROL_LIMITS.stops)
    .map(({ presetIndex }) => ({ presetIndex, stay: PATROL_LIMITS.stayS.usual }));
  return (
    <>
      <h3>{t('ptz.patrols')}</h3>
      <ul aria-label={t('ptz.patrols')}>
        {patrols.map((patrol) => (
          <PatrolRow key={patrol.patrolId} channel={channel} patrol={patrol} presets={presets} />
        ))}
      </ul>
      {own.length < PATROL_LIMITS.patrols && (
        <button
          type="button"
          className={style.add}
          onClick={() => save.mutate({ name: t('ptz.patrolName', { no: own.length + 1 }), stopList })}
        >
          <IconPlus size={14} aria-hidden="true" /> {t('ptz.patrolAdd')}
        </button>
      )}
    </>
  );
}

interface PatrolRowProps extends ChannelProps {
  readonly patrol: Patrol;
  readonly presets: readonly ShownPreset[];
}

function PatrolRow({ channel, patrol, presets }: PatrolRowProps) {
  const t = useT();
  const start = usePresetChange('patrol/start', channel);
  const stop = usePresetChange('patrol/stop', channel);
  const remove = usePresetChange('patrol/delete', channel);
  const save = usePresetChange('patrol/save', channel);
  const [isEditing, setEditing] = useState(false);
  const { patrolId, name, isRunning, isDeviceOwn, stopList } = patrol;
  const Icon = isRunning ? IconPlayerStop : IconPlayerPlay;
  return (
    <li className={style.preset}>
      <button
        type="button"
        className={style.go}
        aria-label={t(isRunning ? 'ptz.patrolStop' : 'ptz.patrolStart', { name })}
        aria-pressed={isRunning}
        onClick={() => (isRunning ? stop : start).mutate({ patrolId })}
      >
        <Icon size={14} aria-hidden="true" />
        <span>{name}</span>
      </button>
      {!isDeviceOwn && (
        <span className={style.edit}>
          <button type="button" aria-label={t('ptz.patrolEdit', { name })} onClick={() => setEditing(true)}>
            <IconPencil size={14} />
          </button>
          <button
            type="button"
            aria-label={t('ptz.patrolDelete', { name })}
            onClick={() => remove.mutate({ patrolId })}
          >
            <IconTrash size={14} />
          </button>
        </span>
      )}
      <PatrolEditor
        isOpen={isEditing}
        name={name}
        stops={stopList}
        presets={presets}
        isBusy={save.isPending}
        onClose={() => setEditing(false)}
        onSave={(next, stops) =>
          save.mutate({ patrolId, name: next, stopList: [...stops] }, { onSuccess: () => setEditing(false) })
        }
      />
    </li>
  );
}
