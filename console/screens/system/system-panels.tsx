// What each section of the System screen shows.
import type { ComponentType } from 'react';
import { InvitationList } from '../../features/invitation/invitation-list.tsx';
import { useT } from '../../language/use-t.ts';
import type { SystemSection } from '../../navigation/system-sections.ts';
import { SettingsSection } from '../../ui/layout/settings-section.tsx';
import { AccountForm } from './accounts/account-form.tsx';
import { EnvironmentPart } from './accounts/environment-part.tsx';
import { MailPart } from './accounts/mail-part.tsx';
import { NoticePart } from './accounts/notice-part.tsx';
import { SignUpPart } from './accounts/sign-up-part.tsx';
import { CloudPanel } from './cloud/cloud-panel.tsx';
import { HealthPanel } from './health/health-panel.tsx';
import { IdentityPanel } from './identity/identity-panel.tsx';
import { LogPanel } from './logs/log-panel.tsx';
import { AddressPart, CertificatePart } from './settings/access-part.tsx';
import { AlarmPart } from './settings/alarm-part.tsx';
import { NetworkPart } from './settings/network-part.tsx';
import { SectionPage } from './settings/section-page.tsx';
import { SettingsForm } from './settings/settings-form.tsx';
import { SharingPart } from './settings/sharing-part.tsx';
import { StoragePart } from './settings/storage-part.tsx';
import { folderRefusal } from './settings/storage-reason.ts';
import { VersionsPanel } from './versions/versions-panel.tsx';
import { GroupsPart } from './sites/groups-part.tsx';
import { SitesPart } from './sites/sites-part.tsx';

const StoragePanel = () => (
  <SettingsForm>
    {({ failure, ...parts }) => <StoragePart {...parts} refusalOf={(disk) => folderRefusal(failure, disk)} />}
  </SettingsForm>
);

const SitesPanel = () => (
  <SectionPage>
    <SitesPart />
    <GroupsPart />
  </SectionPage>
);

const NetworkPanel = () => (
  <SettingsForm>
    {({ settings, ...parts }) => (
      <>
        <AddressPart addressList={settings.addressList} />
        <NetworkPart {...parts} />
      </>
    )}
  </SettingsForm>
);

const CertificatePanel = () => (
  <SettingsForm>
    {({ settings: { certificate, authorityUrl } }) => (
      <CertificatePart certificate={certificate} authorityUrl={authorityUrl} />
    )}
  </SettingsForm>
);

function AccountsPanel() {
  const t = useT();
  return (
    <AccountForm>
      {(parts) => (
        <>
          <SignUpPart {...parts} />
          <NoticePart {...parts} />
          <SettingsSection title={t('invitation.listTitle')} lead={t('invitation.listLead')}>
            <InvitationList />
          </SettingsSection>
        </>
      )}
    </AccountForm>
  );
}

const MailPanel = () => <AccountForm>{(parts) => <MailPart {...parts} />}</AccountForm>;
const RegionPanel = () => <AccountForm>{(parts) => <EnvironmentPart {...parts} />}</AccountForm>;
const SharingPanel = () => <SettingsForm>{(parts) => <SharingPart {...parts} />}</SettingsForm>;
const AlarmsPanel = () => <SettingsForm>{(parts) => <AlarmPart {...parts} />}</SettingsForm>;

export const SYSTEM_PANELS: Readonly<Record<SystemSection, ComponentType>> = {
  health: HealthPanel,
  storage: StoragePanel,
  cloud: CloudPanel,
  sites: SitesPanel,
  network: NetworkPanel,
  certificate: CertificatePanel,
  accounts: AccountsPanel,
  identity: IdentityPanel,
  mail: MailPanel,
  region: RegionPanel,
  sharing: SharingPanel,
  alarms: AlarmsPanel,
  logs: LogPanel,
  versions: VersionsPanel,
};
