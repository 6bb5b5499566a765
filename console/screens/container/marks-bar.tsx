// The bar under the timeline: marks a range, exports or locks it, bookmarks the moment, lists what there is.
import { formatClock } from '@vedette/rules/time-format.ts';
import {
  IconBookmarkPlus,
  IconBookmarks,
  IconDownload,
  IconFileExport,
  IconLink,
  IconLock,
  IconMapPinCancel,
} from '@tabler/icons-react';
import { useState } from 'react';
import { LockDialog } from '../../features/bookmark/lock-dialog.tsx';
import { MarkList } from '../../features/bookmark/mark-list.tsx';
import { useMarkKeys } from '../../features/bookmark/use-mark-keys.ts';
import { ExportDialog } from '../../features/export/export-dialog.tsx';
import { ExportList } from '../../features/export/export-list.tsx';
import { isPending, useExports } from '../../features/export/export.query.ts';
import { lengthText } from '../../features/export/local-time.ts';
import { type PlaybackChannel, playbackChannelKey } from '../../features/playback/playback-channel.ts';
import type { PlaybackReach } from '../../features/playback/playback-panel.tsx';
import { channelsOf, type PlaybackWall, selectedChannel } from '../../features/playback/playback-wall.ts';
import { openGuestLink } from '../../features/share/share-target.ts';
import type { TickFormat } from '../../features/playback/timeline/timeline-ticks.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { Popover } from '../../ui/overlays/popover.tsx';
import style from './marks-bar.module.css';
import type { TimelineMarks } from './use-timeline-marks.ts';

export interface MarksBarProps {
  readonly marks: TimelineMarks;
  readonly reach: PlaybackReach;
  readonly wall: PlaybackWall;
  readonly names: ReadonlyMap<string, string>;
  readonly format: TickFormat;
}

type Open = 'export' | 'lock' | 'exports' | 'marks' | null;

const ICON = { size: 16, stroke: 1.7 };

export function MarksBar({ marks, reach, wall, names, format }: MarksBarProps) {
  const t = useT();
  const [open, setOpen] = useState<Open>(null);
  const { whole, canMark } = marks;
  const openFor = (which: Open): void => {
    if (whole !== null && canMark) setOpen(which);
  };
  useMarkKeys({
    markStart: () => marks.markStart(reach),
    markEnd: () => marks.markEnd(reach),
    bookmark: () => marks.bookmark(reach),
    lock: () => openFor('lock'),
    exportRange: () => openFor('export'),
  });
  const nameOf = (channel: PlaybackChannel): string => names.get(playbackChannelKey(channel)) ?? channel.deviceSerial;
  const channels = channelsOf(wall).map((channel) => ({ ...channel, name: nameOf(channel) }));
  return (
    <div className={style.bar} role="toolbar" aria-label={t('export.range')}>
      <RangeTools marks={marks} reach={reach} format={format} />
      <Button icon={<IconLock {...ICON} />} disabled={whole === null || !canMark} onClick={() => openFor('lock')}>
        {t('marks.lock')}
      </Button>
      <Button
        icon={<IconFileExport {...ICON} />}
        disabled={whole === null || !canMark}
        onClick={() => openFor('export')}
      >
        {t('export.go')}
      </Button>
      <ClipLink {...{ marks, wall, names }} />
      <span className={style.space} />
      <IconButton
        label={t('marks.bookmarkHere')}
        shortcut="B"
        disabled={!canMark}
        onClick={() => marks.bookmark(reach)}
      >
        <IconBookmarkPlus {...ICON} />
      </IconButton>
      <Popover
        label={t('marks.title')}
        isOpen={open === 'marks'}
        onToggle={(isOpen) => setOpen(isOpen ? 'marks' : null)}
        side="top-end"
        width={360}
        control={
          <IconButton label={t('marks.open')} onClick={() => setOpen(open === 'marks' ? null : 'marks')}>
            <IconBookmarks {...ICON} />
          </IconButton>
        }
      >
        <div className={style.pane}>
          <MarkList
            marks={marks.marks}
            format={format}
            cameraName={nameOf}
            onJump={({ start }) => {
              reach.seek(start);
              setOpen(null);
            }}
          />
        </div>
      </Popover>
      <ExportsButton isOpen={open === 'exports'} onToggle={(isOpen) => setOpen(isOpen ? 'exports' : null)} />
      {whole !== null && (
        <>
          <ExportDialog
            isOpen={open === 'export'}
            channels={channels}
            range={whole}
            onClose={() => setOpen(null)}
            onStarted={() => setOpen('exports')}
          />
          <LockDialog
            isOpen={open === 'lock'}
            range={whole}
            cameras={channels.map(({ name }) => name)}
            format={format}
            onClose={() => setOpen(null)}
            onLock={async (name, reason) => {
              await marks.lock(whole, name, reason);
              setOpen(null);
            }}
          />
        </>
      )}
    </div>
  );
}

function RangeTools({ marks, reach, format }: Pick<MarksBarProps, 'marks' | 'reach' | 'format'>) {
  const t = useT();
  const { range, whole, canMark } = marks;
  const clock = (at: number | null): string => (at === null ? '–' : formatClock(at, format));
  const hasAny = range.start !== null || range.end !== null;
  return (
    <>
      <IconButton label={t('export.markStart')} shortcut="I" disabled={!canMark} onClick={() => marks.markStart(reach)}>
        <span className={style.bracket} aria-hidden="true">
          [
        </span>
      </IconButton>
      <IconButton label={t('export.markEnd')} shortcut="O" disabled={!canMark} onClick={() => marks.markEnd(reach)}>
        <span className={style.bracket} aria-hidden="true">
          ]
        </span>
      </IconButton>
      <p className={style.range} data-marked={hasAny || undefined} aria-live="polite">
        {hasAny ? (
          <>
            {t('export.rangeText', { from: clock(range.start), to: clock(range.end) })}
            {whole !== null && <span className={style.length}>{lengthText(t.shown, whole.end - whole.start)}</span>}
          </>
        ) : (
          t('export.rangeHint')
        )}
      </p>
      <IconButton label={t('export.clearRange')} disabled={!hasAny} onClick={marks.clear}>
        <IconMapPinCancel {...ICON} />
      </IconButton>
    </>
  );
}

function ExportsButton({
  isOpen,
  onToggle,
}: {
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}) {
  const t = useT();
  const running = useExports().exports.filter(isPending).length;
  return (
    <Popover
      label={t('export.title')}
      isOpen={isOpen}
      onToggle={onToggle}
      side="top-end"
      width={400}
      control={
        <button
          type="button"
          className={style.exports}
          aria-expanded={isOpen}
          data-running={running > 0 || undefined}
          onClick={() => onToggle(!isOpen)}
        >
          <IconDownload {...ICON} aria-hidden="true" />
          {t('export.open')}
          {running > 0 && <span className={style.count}>{running}</span>}
        </button>
      }
    >
      <div className={style.pane}>
        <h2 className={style.title}>{t('export.title')}</h2>
        <ExportList />
      </div>
    </Popover>
  );
}

/** The marked range of the selected channel, for a guest. */
function ClipLink({ marks, wall, names }: Pick<MarksBarProps, 'marks' | 'wall' | 'names'>) {
  const t = useT();
  const { whole, canMark } = marks;
  const channel = selectedChannel(wall) ?? channelsOf(wall)[0];
  const isLoose = whole === null || !canMark || channel === undefined;
  return (
    <Button
      icon={<IconLink {...ICON} />}
      disabled={isLoose}
      onClick={() => {
        if (isLoose) return;
        const { deviceSerial, channelNo } = channel;
        const clip = { startTime: Math.floor(whole.start), endTime: Math.ceil(whole.end) };
        const name = names.get(playbackChannelKey(channel)) ?? deviceSerial;
        openGuestLink({ deviceSerial, channelNo, name, rights: ['Replay'], clip });
      }}
    >
      {t('link.make')}
    </Button>
  );
}
