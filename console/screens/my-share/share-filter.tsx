// What narrows the lists of shares: words and a state.
import { IconSearch } from '@tabler/icons-react';
import type { DeviceTransfer } from '@vedette/contract/calls/onboarding.ts';
import type { ShareLink } from '@vedette/contract/calls/share-link.ts';
import { SHARE_STATES, type ShareState } from '@vedette/contract/enumerations.ts';
import type { SharedItems } from '../../features/share/share.query.ts';
import { useT } from '../../language/use-t.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import style from './my-share-screen.module.css';

export interface ShareFilter {
  readonly words: string;
  readonly state: ShareState | 'all';
}
export const NO_FILTER: ShareFilter = { words: '', state: 'all' };

function hasWords(texts: readonly string[], words: string): boolean {
  const wanted = words.trim().toLowerCase();
  return wanted === '' || texts.some((text) => text.toLowerCase().includes(wanted));
}

export function matchesFilter({ first, items }: SharedItems, { words, state }: ShareFilter): boolean {
  if (state !== 'all' && first.state !== state) return false;
  const names = items.map(({ resourceName }) => resourceName);
  return hasWords([first.account, first.owner, first.shareName, first.description, ...names], words);
}

export function matchesLink({ linkName, channelName }: ShareLink, { words }: ShareFilter): boolean {
  return hasWords([linkName, channelName], words);
}

export function matchesTransfer(transfer: DeviceTransfer, { words }: ShareFilter): boolean {
  return hasWords([transfer.deviceName, transfer.deviceSerial, transfer.owner, transfer.account], words);
}

export interface ShareToolbarProps {
  readonly filter: ShareFilter;
  readonly hasStates: boolean;
  readonly onFilter: (filter: ShareFilter) => void;
}

export function ShareToolbar({ filter, hasStates, onFilter }: ShareToolbarProps) {
  const t = useT();
  return (
    <div className={style.tools}>
      {hasStates && (
        <SelectField
          label={t('share.state')}
          isLabelHidden
          value={filter.state}
          options={(['all', ...SHARE_STATES] as const).map((value) => ({
            value,
            label: value === 'all' ? t('share.stateAll') : t(`share.state_${value}`),
          }))}
          onValue={(state) => onFilter({ ...filter, state: state as ShareFilter['state'] })}
        />
      )}
      <TextField
        aria-label={t('share.search')}
        placeholder={t('share.search')}
        type="search"
        leftIcon={<IconSearch size={15} stroke={1.8} aria-hidden="true" />}
        value={filter.words}
        onValue={(words) => onFilter({ ...filter, words })}
      />
    </div>
  );
}
