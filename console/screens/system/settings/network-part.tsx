// Networks beside private and public ones, as lists of CIDR blocks: where cameras may stand, and where messages of alarms may go.
import { IconPlus, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { useT } from '../../../language/use-t.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { SettingsSection } from '../../../ui/layout/settings-section.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { isCidr, NETWORKS_MAX } from './settings-draft.ts';
import type { PartProps } from './settings-form.tsx';
import style from './settings.module.css';

export function NetworkPart({ draft, onDraft }: PartProps) {
  const t = useT();
  return (
    <SettingsSection title={t('system.network')} lead={t('system.networkLead')}>
      <NetworkList
        label={t('system.cameraNetworks')}
        networks={draft.cameraNetworks}
        onNetworks={(cameraNetworks) => onDraft({ cameraNetworks })}
      />
    </SettingsSection>
  );
}

interface NetworkListProps {
  readonly label: string;
  readonly networks: readonly string[];
  readonly onNetworks: (networks: readonly string[]) => void;
}

export function NetworkList({ label, networks, onNetworks }: NetworkListProps) {
  const t = useT();
  const [text, setText] = useState('');
  const [isTried, setTried] = useState(false);
  function add(): void {
    const network = text.trim();
    setTried(true);
    if (!isCidr(network) || networks.length >= NETWORKS_MAX) return;
    if (!networks.includes(network)) onNetworks([...networks, network]);
    setText('');
    setTried(false);
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  };
  return (
    <>
      {networks.length === 0 ? (
        <p className={style.none}>{t('system.noNetworks')}</p>
      ) : (
        <ul className={style.rows} aria-label={label}>
          {networks.map((network) => (
            <li key={network} className={style.row}>
              <code>{network}</code>
              <IconButton
                label={t('system.removeNetwork', { network })}
                size="small"
                tipSide="left"
                onClick={() => onNetworks(networks.filter((other) => other !== network))}
              >
                <IconX size={15} stroke={1.8} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div className={style.addRow}>
        <TextField
          label={label}
          value={text}
          onValue={setText}
          onKeyDown={onKey}
          spellCheck={false}
          maxLength={64}
          hint={t('system.networksHint')}
          error={isTried && !isCidr(text.trim()) ? t('valid.cidr') : null}
        />
        <Button className={style.addButton} icon={<IconPlus size={15} stroke={2} />} onClick={add}>
          {t('system.addNetwork')}
        </Button>
      </div>
    </>
  );
}
