// Versions of the product, of what it runs on, of its sites and of devices' firmware; as text for a report.
import { useT } from '../../../language/use-t.ts';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { StateView } from '../../../ui/feedback/state-view.tsx';
import { StatusDot } from '../../../ui/feedback/status-dot.tsx';
import { Facts } from '../../../ui/layout/facts.tsx';
import { SettingsSection } from '../../../ui/layout/settings-section.tsx';
import { useInstallationHealth, useVersions, type Versions } from '../health/health.query.ts';
import { SectionPage, SectionState } from '../settings/section-page.tsx';
import { reportText } from './report-text.ts';
import style from './versions.module.css';

export function VersionsPanel() {
  const t = useT();
  const { data, isPending, error, refetch } = useVersions();
  if (data === undefined)
    return (
      <SectionState
        isPending={isPending}
        error={error}
        title={t('versions.loadFailed')}
        onRetry={() => void refetch()}
      />
    );
  return (
    <SectionPage>
      <ProductVersions versions={data} />
      <SiteVersions siteList={data.siteList} />
      <SettingsSection title={t('versions.firmware')} lead={t('versions.firmwareLead')}>
        <FirmwareTable firmwareList={data.firmwareList} />
      </SettingsSection>
    </SectionPage>
  );
}

function ProductVersions({ versions }: { readonly versions: Versions }) {
  const t = useT();
  const health = useInstallationHealth().data ?? null;
  const { version, revision, node, postgres, operatingSystem, architecture, siteProtocol } = versions;
  return (
    <SettingsSection title={t('versions.product')} lead={t('versions.productLead')}>
      <div className={style.copy}>
        <span>{t('versions.report')}</span>
        <CopyButton
          text={reportText(versions, health)}
          label={t('versions.copyReport')}
          doneLabel={t('common.copied')}
          failedLabel={t('common.copyFailed')}
        />
      </div>
      <Facts
        facts={[
          { name: t('common.appName'), value: version },
          {
            name: t('versions.revision'),
            value: <code className={style.revision}>{revision || t('versions.unknown')}</code>,
          },
          { name: 'Node.js', value: node },
          { name: 'PostgreSQL', value: postgres },
          { name: t('versions.system'), value: `${operatingSystem}, ${architecture}` },
          { name: t('versions.protocol'), value: String(siteProtocol) },
        ]}
      />
    </SettingsSection>
  );
}

function SiteVersions({ siteList }: Pick<Versions, 'siteList'>) {
  const t = useT();
  return (
    <SettingsSection title={t('sites.title')} lead={t('versions.sitesLead')}>
      <div className={style.frame}>
        <table className={style.table} aria-label={t('sites.title')}>
          <thead>
            <tr>
              <th scope="col">{t('sites.name')}</th>
              <th scope="col">{t('common.appName')}</th>
              <th scope="col">Node.js</th>
              <th scope="col">ffmpeg</th>
            </tr>
          </thead>
          <tbody>
            {siteList.map(({ siteId, siteName, isOnline, version, node, ffmpeg }) => (
              <tr key={siteId}>
                <th scope="row">
                  <StatusDot tone={isOnline ? 'online' : 'offline'} label={siteName || t('sites.local')} />
                </th>
                <td>{version || '–'}</td>
                <td>{node || '–'}</td>
                <td>{ffmpeg || '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </SettingsSection>
  );
}

function FirmwareTable({ firmwareList }: Pick<Versions, 'firmwareList'>) {
  const t = useT();
  if (firmwareList.length === 0) return <StateView isSmall title={t('versions.noDevices')} />;
  return (
    <div className={style.frame}>
      <table className={style.table} aria-label={t('versions.firmware')}>
        <thead>
          <tr>
            <th scope="col">{t('versions.model')}</th>
            <th scope="col">{t('versions.firmwareVersion')}</th>
            <th scope="col">{t('versions.driver')}</th>
            <th scope="col" className={style.number}>
              {t('versions.devices')}
            </th>
          </tr>
        </thead>
        <tbody>
          {firmwareList.map(({ deviceModel, deviceVersion, driver, total }) => (
            <tr key={`${deviceModel} ${deviceVersion} ${driver}`}>
              <th scope="row">{deviceModel || '–'}</th>
              <td>{deviceVersion || '–'}</td>
              <td>{driver}</td>
              <td className={style.number}>{total}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
