// What a rule does, one card each: told channels, recording, a picture, a window of the wall, a preset, an output.
import { IconTrash } from '@tabler/icons-react';
import type { AlarmChannel, AlarmRuleAction } from '@vedette/contract/calls/alarm-rule.ts';
import { ALARM_WINDOW_S, MANUAL_RECORDING_S } from '@vedette/contract/limits.ts';
import { cameraKey, cameraOfKey } from '@vedette/rules/camera-key.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { NumberField } from '../../ui/fields/number-field.tsx';
import { SelectField, type SelectOption } from '../../ui/fields/select-field.tsx';
import { SwitchField } from '../../ui/fields/switch-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import style from './alarm-rule.module.css';
import { channelName } from './channel-name.ts';
import { newAction } from './rule-draft.ts';

export interface RuleActionsProps {
  readonly actions: readonly AlarmRuleAction[];
  readonly channels: readonly AlarmChannel[];
  /** `<serial>:<channel>` by name. */
  readonly cameras: readonly SelectOption[];
  readonly onActions: (actions: AlarmRuleAction[]) => void;
}

const KINDS = ['notify', 'record', 'snapshot', 'wall', 'preset', 'output'] as const;
const WALLS = ['own', 'viewers'] as const;
const MOST = 10;

export function RuleActions({ actions, channels, cameras, onActions }: RuleActionsProps) {
  const t = useT();
  const put = (at: number, action: AlarmRuleAction): void =>
    onActions(actions.map((one, index) => (index === at ? action : one)));
  return (
    <div className={style.field}>
      {actions.map((action, index) => (
        // Cards have no name of their own: their place is what they are.
        <div key={`${index} ${action.kind}`} className={style.action} data-action={action.kind}>
          <div className={style.actionHead}>
            <strong>{t(`alarmRules.action_${action.kind}`)}</strong>
            <IconButton
              label={t('alarmRules.removeAction')}
              size="small"
              onClick={() => onActions(actions.filter((_, at) => at !== index))}
            >
              <IconTrash size={15} stroke={1.8} />
            </IconButton>
          </div>
          <ActionFields action={action} channels={channels} cameras={cameras} onAction={(next) => put(index, next)} />
        </div>
      ))}
      {actions.length < MOST && (
        <div className={style.buttons}>
          {KINDS.map((kind) => (
            <Button key={kind} onClick={() => onActions([...actions, newAction(kind, cameras[0]?.value ?? '')])}>
              {t(`alarmRules.action_${kind}`)}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

interface ActionFieldsProps {
  readonly action: AlarmRuleAction;
  readonly channels: readonly AlarmChannel[];
  readonly cameras: readonly SelectOption[];
  readonly onAction: (action: AlarmRuleAction) => void;
}

function ActionFields({ action, channels, cameras, onAction }: ActionFieldsProps) {
  const t = useT();
  if (action.kind === 'notify') {
    if (channels.length === 0) return <span className={style.hint}>{t('alarmRules.noChannels')}</span>;
    return channels.map(({ channelId, name, kind }) => (
      <CheckBox
        key={channelId}
        label={name}
        detail={channelName(t, kind)}
        isOn={action.channelIds.includes(channelId)}
        onToggle={(isOn) => {
          const others = action.channelIds.filter((one) => one !== channelId);
          onAction({ ...action, channelIds: isOn ? [...others, channelId] : others });
        }}
      />
    ));
  }
  if (action.kind === 'record') {
    const { least, usual, most } = MANUAL_RECORDING_S;
    return (
      <NumberField
        label={t('alarmRules.recordFor')}
        hint={t('alarmRules.recordHint')}
        value={action.seconds}
        min={least}
        max={most}
        unit={t('unit.seconds')}
        onValue={(value) => onAction({ ...action, seconds: Math.min(Math.max(value ?? usual, least), most) })}
      />
    );
  }
  if (action.kind === 'wall') return <WallFields action={action} onAction={onAction} />;
  if (action.kind === 'snapshot') return <span className={style.hint}>{t('alarmRules.snapshotHint')}</span>;
  const camera = (
    <SelectField
      label={t('alarmRules.camera')}
      isSearchable
      nothingFound={t('alarms.nothingFound')}
      value={cameraKey(action)}
      options={cameras}
      onValue={(value) => onAction({ ...action, ...cameraOfKey(value) })}
    />
  );
  if (action.kind === 'preset') {
    return (
      <>
        {camera}
        <NumberField
          label={t('alarmRules.preset')}
          value={action.presetIndex}
          min={1}
          max={300}
          onValue={(value) => onAction({ ...action, presetIndex: Math.max(1, value ?? 1) })}
        />
      </>
    );
  }
  return (
    <>
      {camera}
      <TextField
        label={t('alarmRules.output')}
        value={action.output}
        maxLength={128}
        autoComplete="off"
        onValue={(output) => onAction({ ...action, output })}
      />
      <SwitchField
        label={t('alarmRules.outputOn')}
        isOn={action.isOn}
        onToggle={(isOn) => onAction({ ...action, isOn })}
      />
    </>
  );
}

interface WallFieldsProps {
  readonly action: Extract<AlarmRuleAction, { kind: 'wall' }>;
  readonly onAction: (action: AlarmRuleAction) => void;
}

function WallFields({ action, onAction }: WallFieldsProps) {
  const t = useT();
  const { least, usual, most } = ALARM_WINDOW_S;
  return (
    <>
      <SelectField
        label={t('alarmRules.walls')}
        value={action.walls}
        options={WALLS.map((value) => ({ value, label: t(`alarmRules.walls_${value}`) }))}
        onValue={(value) => onAction({ ...action, walls: value === 'viewers' ? 'viewers' : 'own' })}
      />
      <NumberField
        label={t('alarmRules.recordFor')}
        hint={t('alarmRules.wallHint')}
        value={action.seconds}
        min={least}
        max={most}
        unit={t('unit.seconds')}
        onValue={(value) => onAction({ ...action, seconds: Math.min(Math.max(value ?? usual, least), most) })}
      />
    </>
  );
}
