// What is missing in the recordings of the last day, the longest first; each leads to its place in the playback.
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import { RECORD_LIMITS } from '@vedette/contract/limits.ts';
import { IconTimelineEvent } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useT } from '../../language/use-t.ts';
import { channelAddress, PATHS } from '../../navigation/paths.ts';
import { StateView } from '../../ui/feedback/state-view.tsx';
import { alarmPlaceText } from '../alarm/alarm-words.ts';
import { ageText } from '../live/tile/tile-sentence.ts';
import { GAP_WORDS } from '../playback/gap-words.ts';
import { OverviewPart } from './overview-part.tsx';
import style from './overview.module.css';
import { SHOWN_ROWS, useRecordingGaps } from './overview.query.ts';

type Gaps = CallOutput<'record/gap/list'>;

/** What led to it is seen best from a little before. */
const BEFORE_MS = 10_000;

export function RecordingGaps() {
  const t = useT();
  const query = useRecordingGaps();
  return (
    <OverviewPart
      title={t('overview.gaps')}
      count={query.data?.total}
      to={PATHS.container}
      toLabel={t('screen.playback')}
      query={query}
    >
      {({ total, channelList, unansweredTotal, isCut }) => (
        <>
          {total === 0 && unansweredTotal === 0 && <StateView isSmall title={t('overview.noGaps')} />}
          <ul className={style.list}>
            {channelList.slice(0, SHOWN_ROWS).map((channel) => (
              <Row key={`${channel.deviceSerial}:${channel.channelNo}`} channel={channel} />
            ))}
          </ul>
          {total > SHOWN_ROWS && <p className={style.note}>{t('overview.more', { count: total - SHOWN_ROWS })}</p>}
          {unansweredTotal > 0 && <p className={style.note}>{t.plural('overview.unanswered', unansweredTotal)}</p>}
          {isCut && <p className={style.note}>{t('overview.gapsCut', { count: RECORD_LIMITS.gapChannels })}</p>}
        </>
      )}
    </OverviewPart>
  );
}

function Row({ channel }: { readonly channel: Gaps['channelList'][number] }) {
  const t = useT();
  const { gapTotal, gapMs, longest } = channel;
  const gaps = t.plural('overview.gap', gapTotal);
  const detail = t('overview.gapDetail', { gaps, length: ageText(t, gapMs) });
  return (
    <li>
      <Link
        className={style.row}
        to={`${channelAddress(PATHS.container, channel)}&time=${longest.startTime - BEFORE_MS}`}
      >
        <IconTimelineEvent size={18} stroke={1.7} aria-hidden="true" />
        <span className={style.words}>
          <span className={style.name}>{alarmPlaceText(t, channel)}</span>
          <span className={style.detail}>{`${detail} · ${t(GAP_WORDS[longest.reason])}`}</span>
        </span>
      </Link>
    </li>
  );
}
