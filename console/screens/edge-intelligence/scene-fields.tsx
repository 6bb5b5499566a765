// What counts for a task: classes, threshold, heights, and what its rule needs besides.
import { OBJECT_CLASSES } from '@vedette/contract/enumerations.ts';
import { ANALYSIS_LIMITS } from '@vedette/contract/limits.ts';
import { useT } from '../../language/use-t.ts';
import { RangeField } from '../../ui/fields/range-field.tsx';
import { ModelField } from './model-field.tsx';
import style from './task-editor.module.css';
import type { DraftProblems, TaskDraft } from './task-draft.ts';

export interface SceneFieldsProps {
  readonly draft: TaskDraft;
  readonly problems: DraftProblems;
  readonly onDraft: (part: Partial<TaskDraft>) => void;
}

/** Certainty that the median of a track must reach, percent. */
function certainty(threshold: number): number {
  return 40 + threshold / 2;
}

export function ClassChips({ draft, problems, onDraft }: SceneFieldsProps) {
  const t = useT();
  return (
    <fieldset className={style.group}>
      <legend>{t('edge.classes')}</legend>
      <div className={style.chips}>
        {OBJECT_CLASSES.map((one) => {
          const isOn = draft.classList.includes(one);
          const chosen = OBJECT_CLASSES.filter((other) => (other === one ? !isOn : draft.classList.includes(other)));
          return (
            <button
              key={one}
              type="button"
              className={style.chip}
              aria-pressed={isOn}
              onClick={() => onDraft({ classList: chosen })}
            >
              {t(`edge.class.${one}`)}
            </button>
          );
        })}
      </div>
      {problems.fields.has('classes') && (
        <p className={style.problem} role="alert">
          {t('edge.problem.classes')}
        </p>
      )}
    </fieldset>
  );
}

export function ThresholdField({ draft, onDraft }: SceneFieldsProps) {
  const t = useT();
  const { least, most } = ANALYSIS_LIMITS.threshold;
  return (
    <div className={style.field}>
      <RangeField
        label={t('edge.threshold')}
        value={draft.threshold}
        min={least}
        max={most}
        onValue={(threshold) => onDraft({ threshold: within(threshold, least, most) })}
      />
      <p className={style.hint}>{t('edge.thresholdHint', { percent: certainty(draft.threshold) })}</p>
    </div>
  );
}

const DWELLING: readonly string[] = ['loitering', 'objectLeft', 'objectRemoved'] satisfies TaskDraft['algorithm'][];

export function AdvancedFields(props: SceneFieldsProps) {
  const t = useT();
  const { draft, problems, onDraft } = props;
  const { least, most } = ANALYSIS_LIMITS.dwellS;
  return (
    <details className={style.advanced}>
      <summary>{t('edge.advanced')}</summary>
      <HeightField
        label={t('edge.minHeight')}
        value={draft.minHeight}
        onValue={(minHeight) => onDraft({ minHeight })}
      />
      <HeightField
        label={t('edge.maxHeight')}
        value={draft.maxHeight}
        error={problems.fields.has('height') ? t('edge.problem.height') : null}
        onValue={(maxHeight) => onDraft({ maxHeight })}
      />
      <p className={style.hint}>{t('edge.heightHint')}</p>
      {DWELLING.includes(draft.algorithm) && (
        <RangeField
          label={t('edge.dwell')}
          unit={t('unit.seconds')}
          value={draft.dwellS}
          min={least}
          max={most}
          onValue={(dwellS) => onDraft({ dwellS: within(dwellS, least, most) })}
        />
      )}
      {draft.algorithm === 'crowdDensity' && <DensityFields {...props} />}
      <ModelField draft={draft} onDraft={onDraft} />
    </details>
  );
}

interface HeightFieldProps {
  readonly label: string;
  /** Share of the picture's height. */
  readonly value: number;
  readonly error?: string | null;
  readonly onValue: (value: number) => void;
}

function HeightField({ label, value, error = null, onValue }: HeightFieldProps) {
  const [least, most] = [ANALYSIS_LIMITS.height.least * 100, ANALYSIS_LIMITS.height.most * 100];
  return (
    <RangeField
      label={label}
      unit="%"
      value={Math.round(value * 100)}
      min={least}
      max={most}
      error={error}
      onValue={(percent) => onValue(within(percent, least, most) / 100)}
    />
  );
}

const LEVELS = ['edge.densityLow', 'edge.densityMiddle', 'edge.densityHigh'] as const;

function DensityFields({ draft, problems, onDraft }: SceneFieldsProps) {
  const t = useT();
  const { most } = ANALYSIS_LIMITS.density;
  return (
    <>
      {LEVELS.map((label, at) => (
        <RangeField
          key={label}
          label={t(label)}
          value={draft.densityLevels[at] ?? 1}
          min={1}
          max={most}
          onValue={(level) => {
            const [low, middle, high] = draft.densityLevels.with(at, within(level, 1, most));
            onDraft({ densityLevels: [low ?? 1, middle ?? 1, high ?? 1] });
          }}
        />
      ))}
      {problems.fields.has('density') && (
        <p className={style.problem} role="alert">
          {t('edge.problem.density')}
        </p>
      )}
    </>
  );
}

/** Whole, and in the limits: the figure takes any number that is typed. */
function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.round(value)));
}
