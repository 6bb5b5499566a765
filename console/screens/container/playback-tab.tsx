// The playback tab: tree and calendar on the left, picture and timeline on the right.
import { IconHistory, IconLayoutSidebar } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { toggleFullScreen } from '../../features/live/full-screen.ts';
import { PlaybackPanel } from '../../features/playback/playback-panel.tsx';
import { RecordSourceProvider, readRecordSource } from '../../features/playback/record-source.ts';
import { SourceChoice } from '../../features/playback/source-choice.tsx';
import { useStart } from '../../features/playback/use-start.ts';
import { type CalendarDay, dayBounds, dayKey, dayOf, machineZone } from '../../features/calendar/zone-time.ts';
import { useKeys } from '../../keys/key-registry.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { useServices } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Drawer } from '../../ui/overlays/drawer.tsx';
import layout from '../../ui/layout/side-layout.module.css';
import { StateView } from '../../ui/feedback/state-view.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { useIsPhone } from '../../ui/use-is-phone.ts';
import { AlarmPlaybackBar } from './alarm-playback-bar.tsx';
import { DayChooser } from './day-chooser.tsx';
import { EmptyDay } from './empty-day.tsx';
import { MarksBar } from './marks-bar.tsx';
import style from './playback-tab.module.css';
import { PlaybackTree } from './playback-tree.tsx';
import { usePlaybackPlace } from './use-playback-place.ts';
import { useTimelineMarks } from './use-timeline-marks.ts';

export function PlaybackTab() {
  const [address] = useSearchParams();
  return (
    <RecordSourceProvider value={readRecordSource(address.get('source'))}>
      <PlaybackStage />
    </RecordSourceProvider>
  );
}

function PlaybackStage() {
  const t = useT();
  const { clock } = useServices();
  const stage = useRef<HTMLDivElement>(null);
  const written = useTimeFormat();
  const format = useMemo(() => ({ ...written, timeZone: machineZone() }), [written]);
  const place = usePlaybackPlace();
  const start = useStart({ channel: place.channel, source: place.source, zone: format.timeZone }, place.at === null);
  const [now] = useState(() => clock.wallMs());
  const [day, setDay] = useState<CalendarDay>(() => dayOf(format.timeZone, place.at ?? now));
  const [emptyDay, setEmptyDay] = useState<CalendarDay | null>(null);
  const wantedAt = place.at ?? start.data ?? null;
  const showDay = (next: CalendarDay): void => setDay((before) => (dayKey(before) === dayKey(next) ? before : next));
  const onFullScreen = useFullScreen(stage);
  const nothing =
    place.channel !== null && place.at === null && start.data === null ? dayOf(format.timeZone, now) : null;
  const play = (at: number): void => {
    setEmptyDay(null);
    place.goTo(at);
  };
  const sought = (at: number): void => {
    setEmptyDay(null);
    place.follow(at);
  };
  const range = useMemo(() => dayBounds(format.timeZone, day), [format.timeZone, day]);
  const marks = useTimelineMarks({ wall: place.wall, format, onJump: play, range });
  const onDay = (next: CalendarDay, isRecorded: boolean): void => {
    showDay(next);
    if (isRecorded || place.channel === null || place.wall.split > 1)
      return play(dayBounds(format.timeZone, next).start);
    setEmptyDay(next);
  };
  const bareDay = emptyDay ?? nothing;
  const instead =
    place.channel === null && place.wall.split === 1 ? (
      <StateView
        icon={<IconHistory size={22} stroke={1.5} />}
        title={t('playback.choose')}
        detail={t('playback.chooseDetail')}
      />
    ) : (
      bareDay &&
      place.channel && (
        <EmptyDay
          channel={place.channel}
          day={bareDay}
          zone={format.timeZone}
          onFound={(found) => onDay(found, true)}
        />
      )
    );
  return (
    <div className={style.tab}>
      <Side>
        {(onChosen) => (
          <>
            <PlaybackTree
              wall={place.wall}
              onChoose={(channel) => {
                place.choose(channel);
                onChosen();
              }}
            />
            <SourceChoice channel={place.channel} source={place.source} onSource={place.setSource} />
            <DayChooser
              channel={place.channel}
              zone={format.timeZone}
              day={day}
              now={now}
              onDay={(next, isRecorded) => {
                onDay(next, isRecorded);
                onChosen();
              }}
            />
          </>
        )}
      </Side>
      <div className={style.stage} ref={stage}>
        <AlarmPlaybackBar />
        <PlaybackPanel
          wall={place.wall}
          onWall={place.setWall}
          names={place.names}
          format={format}
          wantedAt={wantedAt}
          isNewest={place.at === null}
          day={day}
          onDay={showDay}
          onSought={sought}
          onFullScreen={onFullScreen}
          instead={instead}
          rightsMark={place.rightsMark}
          layers={marks.layers}
          below={(reach) => (
            <MarksBar marks={marks} reach={reach} wall={place.wall} names={place.names} format={format} />
          )}
        />
      </div>
    </div>
  );
}

/** Beside the pictures; on a phone a drawer over them that goes as soon as something was chosen. */
function Side({ children }: { readonly children: (onChosen: () => void) => ReactNode }) {
  const t = useT();
  const isPhone = useIsPhone();
  const [isDrawn, setDrawn] = useState(false);
  if (!isPhone) {
    return (
      <aside className={`${layout.side} ${style.side}`} aria-label={t('tree.label')}>
        {children(() => undefined)}
      </aside>
    );
  }
  const close = (): void => setDrawn(false);
  return (
    <div className={style.opener}>
      <Button icon={<IconLayoutSidebar size={18} stroke={1.6} />} onClick={() => setDrawn(true)}>
        {t('playback.camerasAndDays')}
      </Button>
      <Drawer isOpen={isDrawn} onClose={close} title={t('playback.camerasAndDays')} closeLabel={t('common.close')}>
        {children(close)}
      </Drawer>
    </div>
  );
}

function useFullScreen(stage: RefObject<HTMLElement | null>): () => void {
  const t = useT();
  const run = (): void => {
    toggleFullScreen(stage.current).catch(() => showToast('error', t('live.noFullScreen')));
  };
  useKeys([{ keys: 'f', label: 'live.fullScreen', group: 'screen.playback', run }]);
  return run;
}
