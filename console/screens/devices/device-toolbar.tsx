// Search and status filter above the table of devices.
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { GroupFilter } from '../../features/group/group-filter.tsx';
import { useT } from '../../language/use-t.ts';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { ColumnChoice } from './column-choice.tsx';
import style from './devices-screen.module.css';
import type { DeviceListQuery, StatusFilter } from './list-question.ts';

/** Typing rests so long before the server is asked. */
const SEARCH_REST_MS = 250;

export interface DeviceToolbarProps {
  readonly question: DeviceListQuery;
  readonly onChange: (part: Partial<DeviceListQuery>) => void;
  readonly canManage: boolean;
}

export function DeviceToolbar({ question, onChange, canManage }: DeviceToolbarProps) {
  const t = useT();
  const [text, setText] = useState(question.keyWord);
  useEffect(() => setText(question.keyWord), [question.keyWord]);
  const newest = useRef(onChange);
  const timer = useRef(0);
  useEffect(() => {
    newest.current = onChange;
  }, [onChange]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (keyWord: string): void => {
    setText(keyWord);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => newest.current({ keyWord }), SEARCH_REST_MS);
  };
  return (
    <div className={style.toolbar}>
      <div className={style.search}>
        <TextField
          aria-label={t('devices.search')}
          placeholder={t('devices.search')}
          value={text}
          onValue={type}
          maxLength={64}
          spellCheck={false}
          autoComplete="off"
          leftIcon={<IconSearch size={15} stroke={1.8} aria-hidden="true" />}
        />
      </div>
      <GroupFilter
        groupId={question.groupId}
        onGroup={(groupId) => onChange({ groupId })}
        canManage={canManage}
        isManaging={question.isGrouping}
        onManaging={(isGrouping) => onChange({ isGrouping })}
      />
      <ColumnChoice />
      <Segmented<StatusFilter>
        label={t('devices.filterStatus')}
        value={question.status}
        onValue={(status) => onChange({ status })}
        options={[
          { value: 'all', label: t('common.all') },
          { value: 'online', label: t('status.online') },
          { value: 'offline', label: t('status.offline') },
        ]}
      />
    </div>
  );
}
