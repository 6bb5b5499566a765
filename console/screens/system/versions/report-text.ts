// Versions and health as plain English text for a report: no names of sites, folders, addresses or people.
import type { Health, Versions } from '../health/health.query.ts';

export function reportText(versions: Versions, health: Health | null): string {
  const { version, revision, node, postgres, operatingSystem, architecture, siteProtocol } = versions;
  const sites = versions.siteList.map(
    (site, at) =>
      `Site ${at + 1}: ${site.isOnline ? 'online' : 'offline'}, ${site.version || 'unknown'}, Node.js ${site.node || 'unknown'}, ffmpeg ${site.ffmpeg || 'none'}`,
  );
  const parts = (health?.partList ?? []).map(({ part, state, reason, figureList }) => {
    const figures = figureList.map(({ figure, value }) => `${figure}=${value ?? '-'}`);
    return `${part}: ${[state, ...(reason === null ? [] : [reason]), ...figures].join(' ')}`;
  });
  const firmware = versions.firmwareList.map(
    ({ deviceModel, deviceVersion, driver, total }) =>
      `${total} x ${deviceModel || 'unknown'} ${deviceVersion || 'unknown'} (${driver})`,
  );
  return [
    `Vedette ${version}${revision === '' ? '' : ` (${revision})`}`,
    `Node.js ${node}, PostgreSQL ${postgres}, ${operatingSystem} ${architecture}, site protocol ${siteProtocol}`,
    ...sites,
    ...(parts.length === 0 ? [] : ['', 'Health', ...parts]),
    ...(firmware.length === 0 ? [] : ['', 'Devices', ...firmware]),
    '',
  ].join('\n');
}
