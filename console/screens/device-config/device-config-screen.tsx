// Configuration of a device, channel by channel: only the sections it has, each as the device holds it now.
import { IconArrowLeft } from '@tabler/icons-react';
import { SECTION_NAMES, type SectionName } from '@vedette/contract/config/section-names.ts';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { failureText } from '../../calls/failure-text.ts';
import { useSection, useSectionNames } from '../../features/device-config/config.query.ts';
import type { SectionBurst } from '../../features/device-config/sensitivity-notice.tsx';
import { sectionText } from '../../features/device-config/field-words.ts';
import { SectionPanel } from '../../features/device-config/section-panel.tsx';
import { useUnsaved } from '../../features/unsaved/use-unsaved.ts';
import { useChannels, useDevice } from '../../features/device-inspector/device.query.ts';
import { useT } from '../../language/use-t.ts';
import { type ChannelPlace, PATHS, readChannelPlace } from '../../navigation/paths.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { useChosenInView } from '../../ui/use-chosen-in-view.ts';
import style from './device-config-screen.module.css';

export function DeviceConfigScreen() {
  const t = useT();
  const [address, setAddress] = useSearchParams();
  const place = readChannelPlace(address);
  if (place === null) {
    return (
      <main className={style.screen}>
        <StateView title={t('errCode_1009')} />
      </main>
    );
  }
  const change = (part: Readonly<Record<string, string>>): void =>
    setAddress((before) => new URLSearchParams({ ...Object.fromEntries(before), ...part }), { replace: true });
  const count = Number(address.get('flood') ?? 0);
  const flood = count > 1 ? { count, rule: address.get('rule') ?? '' } : null;
  return <Configuration place={place} asked={address.get('section')} flood={flood} change={change} />;
}

interface ConfigurationProps {
  readonly place: ChannelPlace;
  readonly asked: string | null;
  /** Why somebody comes here. */
  readonly flood: SectionBurst | null;
  readonly change: (part: Readonly<Record<string, string>>) => void;
}

function Configuration({ place, asked, flood, change }: ConfigurationProps) {
  const t = useT();
  const { data: device } = useDevice(place.deviceSerial);
  const channels = useChannels(place.deviceSerial).data ?? [];
  const query = useSectionNames(place);
  const sections = query.data;
  // The addressed one is asked for beside the list, not after it.
  useSection(place, SECTION_NAMES.find((known) => known === asked) ?? null);
  const [hasChanges, setUnsaved] = useState(false);
  useUnsaved(hasChanges);
  const section = sectionToShow(sections, asked);
  const name = channels.find(({ channelNo }) => channelNo === place.channelNo)?.channelName ?? '';
  const back = `${PATHS.deviceManage}?${new URLSearchParams({ device: place.deviceSerial })}`;
  return (
    <main className={style.screen}>
      <PageHeader title={t('config.title')} fact={device?.deviceName}>
        {channels.length > 1 && (
          <SelectField
            label={t('config.channel')}
            isLabelHidden
            value={String(place.channelNo)}
            options={channels.map(({ channelNo, channelName }) => ({ value: String(channelNo), label: channelName }))}
            isSearchable={channels.length > 8}
            onValue={(channel) => change({ channel })}
          />
        )}
        <Link className={style.back} to={back}>
          <IconArrowLeft size={16} stroke={1.8} aria-hidden="true" />
          {t('config.back')}
        </Link>
      </PageHeader>
      {sections !== undefined && section !== undefined && (
        <div className={style.work}>
          <SectionTabs
            sections={sections}
            section={section}
            onSection={(next) => change({ section: next, flood: '' })}
          />
          <div className={style.panel}>
            <SectionPanel
              key={`${place.deviceSerial} ${place.channelNo} ${section}`}
              place={place}
              section={section}
              name={name}
              flood={section === asked ? flood : null}
              onUnsaved={setUnsaved}
            />
          </div>
        </div>
      )}
      <SectionsState query={query} />
    </main>
  );
}

/** The one that is asked for, else the first. */
function sectionToShow(sections: readonly SectionName[] | undefined, asked: string | null): SectionName | undefined {
  return sections?.find((name) => name === asked) ?? sections?.[0];
}

/** What stands in place of sections. */
function SectionsState({ query }: { readonly query: ReturnType<typeof useSectionNames> }) {
  const t = useT();
  if (query.isPending)
    return (
      <div className={style.loading}>
        <SkeletonLines label={t('common.loading')} rows={10} rowHeight={36} />
      </div>
    );
  if (query.data !== undefined) return query.data.length === 0 && <StateView title={t('config.none')} />;
  return (
    <StateView
      role="alert"
      title={t('config.failed')}
      detail={failureText(t, query.error)}
      action={<Button onClick={() => void query.refetch()}>{t('common.retry')}</Button>}
    />
  );
}

interface SectionTabsProps {
  readonly sections: readonly SectionName[];
  readonly section: SectionName;
  readonly onSection: (section: SectionName) => void;
}

function SectionTabs({ sections, section, onSection }: SectionTabsProps) {
  const t = useT();
  const row = useChosenInView<HTMLElement>(`[data-section="${section}"]`);
  return (
    <nav ref={row} className={style.tabs} aria-label={t('config.sections')}>
      {sections.map((name) => (
        <button
          key={name}
          type="button"
          className={style.tab}
          data-section={name}
          aria-current={name === section ? 'page' : undefined}
          onClick={() => onSection(name)}
        >
          {sectionText(t, name)}
        </button>
      ))}
    </nav>
  );
}
