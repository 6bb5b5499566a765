// alarmMsg: the inbox, the rules and channels by which alarms are acted on, the hours of silence, and what tells alarms beside devices.
import { type ReactNode, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { ALARM_VIEWS, type AlarmView, alarmViewOf } from '../../features/alarm/alarm-views.ts';
import { useT } from '../../language/use-t.ts';
import { Segmented } from '../../ui/fields/segmented.tsx';
import layout from '../../ui/layout/side-layout.module.css';
import { AlarmInbox } from './alarm-inbox.tsx';
import style from './alarm-msg-screen.module.css';
import { ChannelsView } from './channels-view.tsx';
import { QuietView } from './quiet-view.tsx';
import { RulesView } from './rules-view.tsx';
import { SourcesView } from './sources-view.tsx';

export function AlarmMsgScreen() {
  const t = useT();
  const [address, setAddress] = useSearchParams();
  const view = alarmViewOf(address);
  const views = useMemo(() => {
    const labels = {
      inbox: t('alarms.viewInbox'),
      rules: t('alarms.viewRules'),
      channels: t('alarms.viewChannels'),
      quiet: t('alarms.viewQuiet'),
      sources: t('alarms.viewSources'),
    };
    return (
      <div className={style.views}>
        <Segmented<AlarmView>
          isWide
          label={t('alarms.views')}
          value={view}
          options={ALARM_VIEWS.map((value) => ({ value, label: labels[value] }))}
          onValue={(next) => setAddress(next === 'inbox' ? {} : { view: next }, { replace: true })}
        />
      </div>
    );
  }, [t, view, setAddress]);
  return <main className={layout.screen}>{viewOf(view, views)}</main>;
}

function viewOf(view: AlarmView, views: ReactNode): ReactNode {
  switch (view) {
    case 'inbox':
      return <AlarmInbox views={views} />;
    case 'rules':
      return <RulesView views={views} />;
    case 'channels':
      return <ChannelsView views={views} />;
    case 'quiet':
      return <QuietView views={views} />;
    case 'sources':
      return <SourcesView views={views} />;
  }
}
