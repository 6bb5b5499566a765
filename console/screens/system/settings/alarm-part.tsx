// Alarms: how long they are kept, what a topic of a device's events stands for here, and where their messages may go.
import { IconPlus, IconX } from '@tabler/icons-react';
import { isRaisedAlarmType, RAISED_ALARM_TYPE_NAMES } from '@vedette/contract/alarm-types.ts';
import { ALARM_LIMITS } from '@vedette/contract/limits.ts';
import { useMemo, useState } from 'react';
import { useT } from '../../../language/use-t.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { NumberField } from '../../../ui/fields/number-field.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { SettingsSection } from '../../../ui/layout/settings-section.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { DRAFT_LIMITS, isNumberBad } from './settings-draft.ts';
import { NetworkList } from './network-part.tsx';
import type { PartProps } from './settings-form.tsx';
import style from './settings.module.css';

/** Stands for no alarm among the choices. */
const NONE = 'none';
const TOPIC_MAX = 256;

export function AlarmPart({ draft, onDraft }: PartProps) {
  const t = useT();
  return (
    <SettingsSection title={t('system.sectionAlarms')} lead={t('system.alarmsLead')}>
      <div className={style.numbers}>
        <NumberField
          label={t('system.alarmDays')}
          value={draft.alarmDays}
          onValue={(alarmDays) => onDraft({ alarmDays })}
          {...DRAFT_LIMITS.alarmDays}
          unit={t('system.days')}
          error={isNumberBad(draft, 'alarmDays') ? t('valid.number', DRAFT_LIMITS.alarmDays) : null}
        />
      </div>
      <Topics draft={draft} onDraft={onDraft} />
      <h3 className={style.subheading}>{t('system.messageNetworks')}</h3>
      <p className={style.none}>{t('system.messageNetworksLead')}</p>
      <NetworkList
        label={t('system.messageNetworksMore')}
        networks={draft.messageNetworks}
        onNetworks={(messageNetworks) => onDraft({ messageNetworks })}
      />
    </SettingsSection>
  );
}

function Topics({ draft, onDraft }: PartProps) {
  const t = useT();
  const [topic, setTopic] = useState('');
  const [type, setType] = useState<string>(NONE);
  const { topicList } = draft;
  const options = useMemo(() => {
    const types = RAISED_ALARM_TYPE_NAMES.map((name) => ({ value: name as string, label: t(`alarmType_${name}`) }));
    const order = new Intl.Collator(t.shown);
    types.sort((one, other) => order.compare(one.label, other.label));
    return [{ value: NONE, label: t('system.noAlarm') }, ...types];
  }, [t]);
  const given = topic.trim();
  const add = (): void => {
    const entry = { topic: given, type: isRaisedAlarmType(type) ? type : null };
    onDraft({ topicList: [...topicList.filter((other) => other.topic !== given), entry] });
    setTopic('');
  };
  return (
    <>
      {topicList.length === 0 ? (
        <p className={style.none}>{t('system.noTopics')}</p>
      ) : (
        <ul className={style.rows} aria-label={t('system.topics')}>
          {topicList.map((one) => (
            <li key={one.topic} className={style.row}>
              <code>{one.topic}</code>
              <span className={style.topicType}>
                {one.type === null ? t('system.noAlarm') : t(`alarmType_${one.type}`)}
              </span>
              <IconButton
                label={t('system.removeTopic', { topic: one.topic })}
                size="small"
                tipSide="left"
                onClick={() => onDraft({ topicList: topicList.filter((other) => other.topic !== one.topic) })}
              >
                <IconX size={15} stroke={1.8} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div className={style.topicRow}>
        <TextField
          label={t('system.topic')}
          value={topic}
          onValue={setTopic}
          spellCheck={false}
          autoComplete="off"
          maxLength={TOPIC_MAX}
          hint={t('system.topicHint')}
        />
        <SelectField label={t('system.topicType')} isSearchable value={type} onValue={setType} options={options} />
        <Button
          className={style.addButton}
          icon={<IconPlus size={15} stroke={2} />}
          onClick={add}
          disabled={given === '' || topicList.length >= ALARM_LIMITS.topics}
        >
          {t('system.addTopic')}
        </Button>
      </div>
    </>
  );
}
