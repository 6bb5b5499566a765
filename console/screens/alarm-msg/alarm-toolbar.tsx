// Filters above the list of alarms: kind, severity, place, state, time.
import {
  ALARM_GROUPS,
  ALARM_SEVERITIES,
  type AlarmGroup,
  type AlarmSeverity,
  RAISED_ALARM_TYPE_NAMES,
  RAISED_ALARM_TYPES,
  type RaisedAlarmType,
} from '@vedette/contract/alarm-types.ts';
import { ALARM_STATES, type AlarmState } from '@vedette/contract/calls/alarm.ts';
import type { PlainKey } from '@vedette/phrases/pack.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { useMemo } from 'react';
import { type AlarmFilter, type TimeChoice, TIME_CHOICES } from '../../features/alarm/alarm-filter.ts';
import { ROOT_ORGANIZATION, useOrganizationOptions } from '../../features/resource-tree/organization-options.ts';
import { useResources } from '../../features/resource-tree/resources.query.ts';
import { useT } from '../../language/use-t.ts';
import { SelectField, type SelectOption } from '../../ui/fields/select-field.tsx';
import { AlarmCalendar } from './alarm-calendar.tsx';
import { InstantField } from '../../ui/fields/instant-field.tsx';
import style from './alarm-msg-screen.module.css';

export interface AlarmToolbarProps {
  readonly filter: AlarmFilter;
  readonly onChange: (part: Partial<AlarmFilter>) => void;
}

const TIMES: Record<TimeChoice, PlainKey> = {
  any: 'alarms.anyTime',
  hour: 'alarms.lastHour',
  day: 'alarms.lastDay',
  week: 'alarms.lastWeek',
  month: 'alarms.lastMonth',
  between: 'alarms.between',
};
/** The kit takes an empty value for none. */
const ALL = 'all';

function usePlaceOptions(): SelectOption[] {
  const t = useT();
  const organizations = useOrganizationOptions();
  const { data } = useResources();
  return useMemo(() => {
    const devices = (data ?? []).flatMap((resource) =>
      resource.resourceType === 'device'
        ? [{ value: `dev:${resource.device.deviceSerial}`, label: resource.device.deviceName }]
        : [],
    );
    const places = organizations
      .filter(({ value }) => value !== ROOT_ORGANIZATION)
      .map(({ value, label }) => ({ value: `org:${value}`, label: `${label} /` }));
    // Channels shared from one device list that device several times.
    const known = new Map([...places, ...devices].map((option) => [option.value, option]));
    return [{ value: ALL, label: t('alarms.allPlaces') }, ...known.values()];
  }, [organizations, data, t]);
}

function typeOptions(t: Translate, group: AlarmGroup | ''): SelectOption[] {
  return RAISED_ALARM_TYPE_NAMES.filter((type) => group === '' || RAISED_ALARM_TYPES[type].group === group).map(
    (type) => ({ value: type, label: t(`alarmType_${type}`) }),
  );
}

export function AlarmToolbar({ filter, onChange }: AlarmToolbarProps) {
  const t = useT();
  const places = usePlaceOptions();
  const known = places.some(({ value }) => value === filter.place) ? filter.place : ALL;
  return (
    <div className={style.toolbar}>
      <SelectField
        label={t('alarms.filterState')}
        isLabelHidden
        value={filter.state || ALL}
        onValue={(state) => onChange({ state: state === ALL ? '' : (state as AlarmState) })}
        options={[
          { value: ALL, label: t('alarms.allStates') },
          ...ALARM_STATES.map((state) => ({ value: state, label: t(`alarmState_${state}`) })),
        ]}
      />
      <SelectField
        label={t('alarms.filterGroup')}
        isLabelHidden
        value={filter.group || ALL}
        onValue={(group) => onChange({ group: group === ALL ? '' : (group as AlarmGroup), type: '' })}
        options={[
          { value: ALL, label: t('alarms.allGroups') },
          ...ALARM_GROUPS.map((group) => ({ value: group, label: t(`alarmGroup_${group}`) })),
        ]}
      />
      <SelectField
        label={t('alarms.filterType')}
        isLabelHidden
        isSearchable
        nothingFound={t('alarms.nothingFound')}
        value={filter.type || ALL}
        onValue={(type) => onChange({ type: type === ALL ? '' : (type as RaisedAlarmType) })}
        options={[{ value: ALL, label: t('alarms.allTypes') }, ...typeOptions(t, filter.group)]}
      />
      <SelectField
        label={t('alarms.filterSeverity')}
        isLabelHidden
        value={filter.severity || ALL}
        onValue={(severity) => onChange({ severity: severity === ALL ? '' : (severity as AlarmSeverity) })}
        options={[
          { value: ALL, label: t('alarms.allSeverities') },
          ...ALARM_SEVERITIES.slice(1).map((severity, at) => ({
            value: severity,
            label: at === ALARM_SEVERITIES.length - 2 ? t(`severity_${severity}`) : `≥ ${t(`severity_${severity}`)}`,
          })),
        ]}
      />
      <SelectField
        label={t('alarms.filterPlace')}
        isLabelHidden
        isSearchable
        nothingFound={t('alarms.nothingFound')}
        value={known}
        onValue={(place) => onChange({ place: place === ALL ? '' : place })}
        options={places}
      />
      <SelectField
        label={t('alarms.filterTime')}
        isLabelHidden
        value={filter.time}
        onValue={(time) => onChange({ time: time as TimeChoice })}
        options={TIME_CHOICES.map((time) => ({ value: time, label: t(TIMES[time]) }))}
      />
      <AlarmCalendar filter={filter} onChange={onChange} />
      {filter.time === 'between' && (
        <>
          <InstantField label={t('alarms.from')} at={filter.startTime} onAt={(startTime) => onChange({ startTime })} />
          <InstantField label={t('alarms.to')} at={filter.endTime} onAt={(endTime) => onChange({ endTime })} />
        </>
      )}
    </div>
  );
}
