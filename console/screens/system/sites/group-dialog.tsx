// A recorder group: its name, its sites with what each may record, and whether cameras go back by themselves.
import type { RecorderGroup } from '@vedette/contract/calls/recorder-group.ts';
import type { Site } from '@vedette/contract/calls/site.ts';
import { RECORDER_GROUP_LIMITS } from '@vedette/contract/limits.ts';
import { type FormEvent, useState } from 'react';
import { failureText } from '../../../calls/failure-text.ts';
import { useRecorderGroupChanges } from '../../../features/site/recorder-group.query.ts';
import { siteNameOf, useSites } from '../../../features/site/site.query.ts';
import { useT } from '../../../language/use-t.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { CheckBox } from '../../../ui/fields/check-box.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { NumberField } from '../../../ui/fields/number-field.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { SwitchField } from '../../../ui/fields/switch-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import style from './groups-part.module.css';

export interface GroupDialogProps {
  /** Null for a new one. */
  readonly group: RecorderGroup | null;
  /** A site is in one group at most. */
  readonly groups: readonly RecorderGroup[];
  readonly onClose: () => void;
}

interface Chosen {
  readonly isSpare: boolean;
  /** Null while its field is blank. */
  readonly cameraMax: number | null;
}

const FORM = 'recorder-group';
const USUAL_CAMERAS = 64;
const SITES_LEAST = 2;

function chosenOf(group: RecorderGroup | null): ReadonlyMap<string, Chosen> {
  return new Map(
    (group?.memberList ?? []).map(({ siteId, isSpare, cameraMax }) => [siteId, { isSpare, cameraMax }] as const),
  );
}

function isCount(value: number | null): value is number {
  return value !== null && Number.isInteger(value) && value >= 1 && value <= RECORDER_GROUP_LIMITS.cameras;
}

/** The form and what is wrong with it; `whole` is null until it may be saved. */
function useGroupForm(group: RecorderGroup | null) {
  const t = useT();
  const [text, setText] = useState(group?.groupName ?? '');
  const [chosen, setChosen] = useState(() => chosenOf(group));
  const [returnsByItself, setReturns] = useState(group?.returnsByItself ?? false);
  const groupName = text.trim();
  const nameProblem = groupName === '' ? t('sites.nameRequired') : /[<>]/.test(groupName) ? t('sites.nameForm') : null;
  const memberList = [...chosen].flatMap(([siteId, { isSpare, cameraMax }]) =>
    isCount(cameraMax) ? [{ siteId, isSpare, cameraMax }] : [],
  );
  const isEnough = chosen.size >= SITES_LEAST;
  const isWhole = nameProblem === null && memberList.length === chosen.size && isEnough;
  const known = group === null ? {} : { groupId: group.groupId, version: group.version };
  return {
    text,
    setText,
    chosen,
    returnsByItself,
    setReturns,
    nameProblem,
    isEnough,
    whole: isWhole ? { ...known, groupName, returnsByItself, memberList } : null,
    choose: (siteId: string, next: Chosen | null): void => {
      const changed = new Map(chosen);
      if (next === null) changed.delete(siteId);
      else changed.set(siteId, next);
      setChosen(changed);
    },
  };
}

export function GroupDialog({ group, groups, onClose }: GroupDialogProps) {
  const t = useT();
  const { save } = useRecorderGroupChanges();
  const { data: sites = [] } = useSites();
  const form = useGroupForm(group);
  const [isTried, setTried] = useState(false);
  const [saving, setSaving] = useState<{ readonly isBusy: boolean; readonly failure: unknown }>({
    isBusy: false,
    failure: null,
  });
  async function store(whole: NonNullable<typeof form.whole>): Promise<void> {
    setSaving({ isBusy: true, failure: null });
    try {
      await save(whole);
      showToast('success', t('groups.saved'));
      onClose();
    } catch (failure) {
      setSaving({ isBusy: false, failure });
    }
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (form.whole !== null && !saving.isBusy) void store(form.whole);
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      width={560}
      title={group === null ? t('groups.addTitle') : t('groups.changeTitle', { name: group.groupName })}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form={FORM} look="primary" isBusy={saving.isBusy}>
            {t('common.save')}
          </Button>
        </>
      }
    >
      <form id={FORM} className={style.form} onSubmit={submit} noValidate>
        <TextField
          label={t('sites.name')}
          value={form.text}
          onValue={form.setText}
          autoFocus
          autoComplete="off"
          error={isTried ? form.nameProblem : null}
        />
        <fieldset className={style.choices}>
          <legend className={style.legend}>{t('groups.choose')}</legend>
          {sites.map((site) => (
            <SiteChoice
              key={site.siteId}
              site={site}
              otherGroup={otherGroupOf(site, group, groups)}
              chosen={form.chosen.get(site.siteId) ?? null}
              onChosen={(next) => form.choose(site.siteId, next)}
            />
          ))}
        </fieldset>
        {isTried && !form.isEnough && <Notice tone="error">{t('groups.tooFew')}</Notice>}
        <SwitchField label={t('groups.returnsLabel')} isOn={form.returnsByItself} onToggle={form.setReturns} />
        {saving.failure !== null && <Notice tone="error">{failureText(t, saving.failure)}</Notice>}
      </form>
    </Dialog>
  );
}

function otherGroupOf(site: Site, group: RecorderGroup | null, groups: readonly RecorderGroup[]): string | null {
  const found = groups.find(({ memberList }) => memberList.some(({ siteId }) => siteId === site.siteId));
  return found === undefined || found.groupId === group?.groupId ? null : found.groupName;
}

interface SiteChoiceProps {
  readonly site: Site;
  /** Name of the group that it is in already. */
  readonly otherGroup: string | null;
  readonly chosen: Chosen | null;
  readonly onChosen: (chosen: Chosen | null) => void;
}

function SiteChoice({ site, otherGroup, chosen, onChosen }: SiteChoiceProps) {
  const t = useT();
  const name = siteNameOf(t, site);
  return (
    <div className={style.choice}>
      <CheckBox
        label={name}
        detail={
          otherGroup === null ? t.plural('sites.cameras', site.cameraTotal) : t('groups.inOther', { name: otherGroup })
        }
        isOn={chosen !== null}
        disabled={otherGroup !== null}
        onToggle={(isOn) => onChosen(isOn ? { isSpare: site.cameraTotal === 0, cameraMax: USUAL_CAMERAS } : null)}
      />
      {chosen !== null && (
        <>
          <SwitchField
            label={t('groups.spare')}
            ariaLabel={t('groups.spareOf', { name })}
            isOn={chosen.isSpare}
            onToggle={(isSpare) => onChosen({ ...chosen, isSpare })}
          />
          <NumberField
            label={t('groups.maxOf', { name })}
            isLabelHidden
            value={chosen.cameraMax}
            onValue={(cameraMax) => onChosen({ ...chosen, cameraMax })}
            min={1}
            max={RECORDER_GROUP_LIMITS.cameras}
            unit={t('groups.camerasUnit')}
            error={isCount(chosen.cameraMax) ? null : t('groups.maxProblem', { max: RECORDER_GROUP_LIMITS.cameras })}
          />
        </>
      )}
    </div>
  );
}
