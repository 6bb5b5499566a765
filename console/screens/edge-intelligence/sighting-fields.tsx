// What is searched for: classes, camera, and from when to when.
import { OBJECT_CLASSES } from '@vedette/contract/enumerations.ts';
import { useT } from '../../language/use-t.ts';
import { InstantField } from '../../ui/fields/instant-field.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { SwitchField } from '../../ui/fields/switch-field.tsx';
import { useCamerasWith } from './configurable-cameras.ts';
import editor from './task-editor.module.css';
import style from './sighting-search.module.css';
import type { SightingFilter } from './sighting.query.ts';

export interface SightingFieldsProps {
  readonly filter: SightingFilter;
  readonly onFilter: (part: Partial<SightingFilter>) => void;
}

export function SightingFields({ filter, onFilter }: SightingFieldsProps) {
  const t = useT();
  const cameras = useCamerasWith('Replay');
  const { startTime, endTime } = filter;
  const isWrong = startTime !== null && endTime !== null && endTime <= startTime;
  return (
    <div className={style.fields}>
      <ClassFilter filter={filter} onFilter={onFilter} />
      <SelectField
        label={t('edge.camera')}
        isLabelHidden
        value={filter.camera}
        options={[{ value: '', label: t('edge.search.allCameras') }, ...cameras]}
        onValue={(camera) => onFilter({ camera, zone: null })}
        isSearchable
      />
      <SwitchField
        label={t('edge.search.area')}
        isOn={filter.camera !== '' && filter.zone !== null}
        disabled={filter.camera === ''}
        onToggle={(isOn) => onFilter({ zone: isOn ? [] : null })}
      />
      <div className={style.range}>
        <InstantField label={t('statistics.from')} at={startTime} onAt={(at) => onFilter({ startTime: at })} />
        <InstantField label={t('statistics.to')} at={endTime} onAt={(at) => onFilter({ endTime: at })} />
      </div>
      {isWrong && <span role="alert">{t('statistics.wrongOrder')}</span>}
    </div>
  );
}

/** None chosen finds all. */
function ClassFilter({ filter, onFilter }: SightingFieldsProps) {
  const t = useT();
  return (
    <div className={editor.chips} role="group" aria-label={t('edge.classes')}>
      {OBJECT_CLASSES.map((one) => {
        const isOn = filter.classList.includes(one);
        const classList = OBJECT_CLASSES.filter((other) => (other === one ? !isOn : filter.classList.includes(other)));
        return (
          <button
            key={one}
            type="button"
            className={editor.chip}
            aria-pressed={isOn}
            onClick={() => onFilter({ classList })}
          >
            {t(`edge.class.${one}`)}
          </button>
        );
      })}
    </div>
  );
}
