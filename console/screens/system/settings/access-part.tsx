// Where the console can be opened, and the certificate that other machines should trust.
import { IconCertificate, IconExternalLink } from '@tabler/icons-react';
import { formatDate } from '@vedette/rules/time-format.ts';
import { useT } from '../../../language/use-t.ts';
import { useTimeFormat } from '../../../language/use-time-format.ts';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { Facts } from '../../../ui/layout/facts.tsx';
import { SettingsSection } from '../../../ui/layout/settings-section.tsx';
import type { SystemSettings } from '../../../features/system/system.query.ts';
import style from './settings.module.css';

export function AddressPart({ addressList }: Pick<SystemSettings, 'addressList'>) {
  const t = useT();
  return (
    <SettingsSection title={t('system.addresses')} lead={t('system.addressesLead')}>
      <ul className={style.rows}>
        {addressList.map((address) => (
          <li key={address} className={style.row}>
            <a href={address} className="digits">
              {address}
            </a>
            <CopyButton
              text={address}
              label={t('common.copy')}
              doneLabel={t('common.copied')}
              failedLabel={t('common.copyFailed')}
            />
          </li>
        ))}
      </ul>
    </SettingsSection>
  );
}

export function CertificatePart({ certificate, authorityUrl }: Pick<SystemSettings, 'certificate' | 'authorityUrl'>) {
  const t = useT();
  const format = useTimeFormat();
  return (
    <SettingsSection title={t('system.certificate')} lead={t('system.certificateLead')}>
      {certificate === null ? (
        <p className={style.none}>{t('system.noCertificate')}</p>
      ) : (
        <Facts
          facts={[
            { name: t('system.subject'), value: certificate.subject },
            { name: t('system.issuer'), value: certificate.issuer },
            { name: t('system.validTo'), value: formatDate(certificate.validTo, format) },
            {
              name: t('system.fingerprint'),
              value: <code className={style.fingerprint}>{certificate.fingerprint}</code>,
            },
          ]}
        />
      )}
      {authorityUrl !== '' && (
        <a className={style.authority} href={authorityUrl} target="_blank" rel="noreferrer">
          <IconCertificate size={16} stroke={1.7} aria-hidden="true" />
          {t('system.installAuthority')}
          <IconExternalLink size={14} stroke={1.7} aria-hidden="true" />
        </a>
      )}
    </SettingsSection>
  );
}
