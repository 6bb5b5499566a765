// The fields of a directory: where it is and how it is reached, who searches it, and which attributes say what.
import { DIRECTORY_GROUPS, DIRECTORY_SECURITIES } from '@vedette/contract/enumerations.ts';
import { DIRECTORY_LIMITS } from '@vedette/contract/limits.ts';
import { useT } from '../../../language/use-t.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { SwitchField } from '../../../ui/fields/switch-field.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { USER_NAME_PLACE, DIRECTORY_PRESETS, type DirectoryDraft, type DirectoryPreset } from './directory-draft.ts';
import own from './identity.module.css';
import type { ProviderDraft } from './provider-draft.ts';

export interface DirectoryFieldsProps {
  readonly draft: ProviderDraft;
  readonly onDraft: (part: Partial<ProviderDraft>) => void;
  /** A password is stored. */
  readonly isKnown: boolean;
}

const PRESETS: readonly DirectoryPreset[] = ['openLdap', 'activeDirectory'];

export function DirectoryFields(props: DirectoryFieldsProps) {
  return (
    <>
      <PlaceFields {...props} />
      <SearchFields {...props} />
      <UserFields {...props} />
    </>
  );
}

/** A text field of the directory's own settings. */
function useDirectoryText({ draft, onDraft }: DirectoryFieldsProps) {
  const { directory } = draft;
  const onDirectory = (part: Partial<DirectoryDraft>): void => onDraft({ directory: { ...directory, ...part } });
  const text = (name: Exclude<keyof DirectoryDraft, 'security' | 'groupsBy' | 'nestedGroups'>) => ({
    value: directory[name],
    onValue: (value: string) => onDirectory({ [name]: value }),
    autoComplete: 'off',
    spellCheck: false,
  });
  return { directory, onDirectory, text };
}

function PlaceFields(props: DirectoryFieldsProps) {
  const t = useT();
  const { draft, onDraft } = props;
  const { directory, onDirectory, text } = useDirectoryText(props);
  return (
    <>
      <div className={own.pair}>
        <TextField
          label={t('identity.name')}
          maxLength={64}
          value={draft.providerName}
          onValue={(providerName) => onDraft({ providerName })}
          autoComplete="off"
        />
        <SelectField
          label={t('directory.security')}
          value={directory.security}
          options={DIRECTORY_SECURITIES.map((value) => ({ value, label: t(`directory.security_${value}`) }))}
          onValue={(value) => onDirectory({ security: value as DirectoryDraft['security'] })}
        />
      </div>
      <TextField label={t('directory.hosts')} hint={t('directory.hostsHint')} {...text('hosts')} />
      {directory.security === 'plain' ? (
        <Notice tone="warning">{t('directory.plainWarning')}</Notice>
      ) : (
        <TextArea
          label={t('directory.authority')}
          hint={t('directory.authorityHint')}
          value={directory.authority}
          onValue={(authority) => onDirectory({ authority })}
          maxLength={DIRECTORY_LIMITS.authorityLength}
          rows={3}
          isCode
        />
      )}
    </>
  );
}

function SearchFields(props: DirectoryFieldsProps) {
  const t = useT();
  const { draft, onDraft, isKnown } = props;
  const { onDirectory, text } = useDirectoryText(props);
  return (
    <>
      <div className={own.pair}>
        <TextField
          label={t('directory.bindName')}
          hint={t('directory.bindNameHint')}
          value={draft.clientId}
          onValue={(clientId) => onDraft({ clientId })}
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          label={t('directory.bindPassword')}
          type="password"
          autoComplete="new-password"
          hint={t(isKnown ? 'directory.passwordKept' : 'directory.passwordHint')}
          value={draft.clientSecret}
          onValue={(clientSecret) => onDraft({ clientSecret })}
        />
      </div>
      <TextField label={t('directory.searchBase')} hint={t('directory.searchBaseHint')} {...text('searchBase')} />
      <div className={own.presets}>
        <span className={own.label}>{t('directory.preset')}</span>
        {PRESETS.map((preset) => (
          <Button key={preset} onClick={() => onDirectory(DIRECTORY_PRESETS[preset])}>
            {t(`directory.preset_${preset}`)}
          </Button>
        ))}
      </div>
      <TextField
        label={t('directory.userFilter')}
        hint={t('directory.userFilterHint', { place: USER_NAME_PLACE })}
        {...text('userFilter')}
      />
    </>
  );
}

function UserFields(props: DirectoryFieldsProps) {
  const t = useT();
  const { directory, onDirectory, text } = useDirectoryText(props);
  return (
    <>
      <div className={own.triple}>
        <TextField label={t('directory.nameAttribute')} {...text('nameAttribute')} />
        <TextField label={t('directory.idAttribute')} {...text('idAttribute')} />
        <TextField label={t('directory.mailAttribute')} {...text('mailAttribute')} />
      </div>
      <div className={own.pair}>
        <SelectField
          label={t('directory.groupsBy')}
          value={directory.groupsBy}
          options={DIRECTORY_GROUPS.map((value) => ({ value, label: t(`directory.groups_${value}`) }))}
          onValue={(value) => onDirectory({ groupsBy: value as DirectoryDraft['groupsBy'] })}
        />
        {directory.groupsBy !== 'memberOf' && (
          <TextField label={t('directory.groupBase')} hint={t('directory.groupBaseHint')} {...text('groupBase')} />
        )}
      </div>
      {directory.groupsBy !== 'memberUid' && (
        <div>
          <SwitchField
            label={t('directory.nestedGroups')}
            isOn={directory.nestedGroups}
            onToggle={(nestedGroups) => onDirectory({ nestedGroups })}
          />
          <p className={own.switchHint}>{t('directory.nestedGroupsHint')}</p>
        </div>
      )}
    </>
  );
}
