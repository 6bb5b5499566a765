// The lines, zones and masks of a task in words: name, colour, direction, and what is wrong with their shape.
import { IconPlus, IconX } from '@tabler/icons-react';
import type { AnalysisRegion } from '@vedette/contract/calls/analysis.ts';
import { CROSSING_DIRECTIONS } from '@vedette/contract/enumerations.ts';
import { ANALYSIS_LIMITS } from '@vedette/contract/limits.ts';
import { watchedKind } from '@vedette/rules/analysis/task-problems.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import style from './task-editor.module.css';
import { type DraftProblems, type TaskDraft, withRegion } from './task-draft.ts';

export interface RegionListProps {
  readonly draft: TaskDraft;
  readonly problems: DraftProblems;
  readonly chosen: number;
  readonly onChosen: (at: number) => void;
  readonly onRegions: (regions: AnalysisRegion[]) => void;
}

const NEEDED = ['noline', 'nozone', 'regionName'] as const;

export function RegionList({ draft, problems, chosen, onChosen, onRegions }: RegionListProps) {
  const t = useT();
  const { regionList } = draft;
  const watched = watchedKind(draft.algorithm);
  const add = (kind: AnalysisRegion['kind']): void => {
    const number = regionList.filter((one) => one.kind === kind).length + 1;
    onChosen(regionList.length);
    onRegions(withRegion(regionList, kind, `${t(`edge.kind.${kind}`)} ${number}`));
  };
  const needed = NEEDED.find((one) => problems.fields.has(one));
  return (
    <fieldset className={style.group}>
      <legend>{t('edge.regions')}</legend>
      {regionList.length > 0 && <p className={style.hint}>{t('edge.regionsHint')}</p>}
      {regionList.map((region, at) => (
        <RegionRow
          key={region.regionId}
          region={region}
          number={at + 1}
          isChosen={at === chosen}
          isRefused={problems.shapes.has(at)}
          onChosen={() => onChosen(at)}
          onRegion={(next) => onRegions(regionList.with(at, next))}
          onRemove={() => onRegions(regionList.toSpliced(at, 1))}
        />
      ))}
      {needed !== undefined && (
        <p className={style.problem} role="status">
          {t(`edge.problem.${needed}`)}
        </p>
      )}
      {regionList.length < ANALYSIS_LIMITS.regions && (
        <div className={style.buttons}>
          {([watched, 'mask'] as const).map((kind) => (
            <Button key={kind} icon={<IconPlus size={15} stroke={2} aria-hidden="true" />} onClick={() => add(kind)}>
              {t(kind === 'line' ? 'edge.addLine' : kind === 'zone' ? 'edge.addZone' : 'edge.addMask')}
            </Button>
          ))}
        </div>
      )}
    </fieldset>
  );
}

interface RegionRowProps {
  readonly region: AnalysisRegion;
  readonly number: number;
  readonly isChosen: boolean;
  readonly isRefused: boolean;
  readonly onChosen: () => void;
  readonly onRegion: (region: AnalysisRegion) => void;
  readonly onRemove: () => void;
}

function RegionRow({ region, number, isChosen, isRefused, onChosen, onRegion, onRemove }: RegionRowProps) {
  const t = useT();
  const { regionName, kind, direction, colour } = region;
  const name = regionName.trim() === '' ? t(`edge.kind.${kind}`) : regionName;
  return (
    <div className={style.region} data-chosen={isChosen || undefined} onFocus={onChosen}>
      <div className={style.regionHead}>
        <input
          type="color"
          className={style.colour}
          aria-label={t('edge.colour', { name })}
          value={colour}
          onChange={(event) => onRegion({ ...region, colour: event.currentTarget.value })}
        />
        <TextField
          aria-label={t('edge.regionName', { kind: t(`edge.kind.${kind}`), number })}
          value={regionName}
          onValue={(next) => onRegion({ ...region, regionName: next })}
          maxLength={64}
        />
        <IconButton label={t('edge.removeRegion', { name })} size="small" tipSide="left" onClick={onRemove}>
          <IconX size={16} stroke={1.8} />
        </IconButton>
      </div>
      {kind === 'line' && (
        <Segmented
          label={t('edge.direction', { name })}
          isWide
          value={direction}
          options={CROSSING_DIRECTIONS.map((value) => ({ value, label: t(`edge.direction.${value}`) }))}
          onValue={(next) => onRegion({ ...region, direction: next })}
        />
      )}
      {kind === 'mask' && <p className={style.hint}>{t('edge.maskHint')}</p>}
      {isRefused && (
        <p className={style.problem} role="alert">
          {t('edge.problem.shape', { name })}
        </p>
      )}
    </div>
  );
}
