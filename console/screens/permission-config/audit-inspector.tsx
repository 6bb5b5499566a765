// One entry of the audit log in the inspector: all of it, with each changed field before and after.
import type { AuditEntry } from '@vedette/contract/calls/audit.ts';
import { SUCCESS } from '@vedette/contract/errors.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { type Fact, Facts, Section } from '../../ui/layout/facts.tsx';
import { Inspector } from '../../ui/overlays/inspector.tsx';
import { useAuditWords } from './audit-words.ts';
import style from './permission-config-screen.module.css';

export interface AuditInspectorProps {
  readonly entry: AuditEntry;
  readonly onClose: () => void;
}

export function AuditInspector({ entry, onClose }: AuditInspectorProps) {
  const t = useT();
  const words = useAuditWords();
  const changes = entry.detail?.changeList ?? [];
  return (
    <Inspector title={words.sentence(entry)} closeLabel={t('common.close')} onClose={onClose}>
      {entry.code !== SUCCESS && <Notice tone="warning">{words.failure(entry)}</Notice>}
      <Section title={t('audit.details')}>
        <Facts facts={useFacts(entry)} />
      </Section>
      {changes.length > 0 && (
        <Section title={t('audit.changedFields')}>
          <table className={style.changes}>
            <thead>
              <tr>
                <th scope="col">{t('audit.field')}</th>
                <th scope="col">{t('audit.before')}</th>
                <th scope="col">{t('audit.after')}</th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ field, before, after }) => (
                <tr key={field}>
                  <th scope="row">{words.field(field)}</th>
                  {before === null && after === null ? (
                    <td colSpan={2}>{t('audit.notShown')}</td>
                  ) : (
                    <>
                      <td>{words.value(field, before)}</td>
                      <td>{words.value(field, after)}</td>
                    </>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      )}
    </Inspector>
  );
}

function useFacts(entry: AuditEntry): Fact[] {
  const t = useT();
  const format = useTimeFormat();
  const words = useAuditWords();
  const { entryNo, time, userName, address, detail } = entry;
  const facts: Fact[] = [
    { name: t('audit.object'), value: words.object(entry) || '–' },
    { name: t('audit.user'), value: userName || '–' },
    { name: t('audit.time'), value: <span className="digits">{formatDateTime(time, format)}</span> },
    { name: t('audit.address'), value: <span className="digits">{address}</span> },
    {
      name: t('audit.entryNo'),
      value: entryNo === 0 ? t('audit.notChained') : <span className="digits">{entryNo}</span>,
    },
  ];
  const { share, link, app, addressCount } = detail ?? {};
  if (addressCount !== undefined)
    facts.push({ name: t('audit.fetchedFrom'), value: <span className="digits">{addressCount}</span> });
  if (share) {
    const value = t('audit.throughShare', {
      share: share.shareName || share.shareId.slice(0, 8),
      user: share.userName,
    });
    facts.push({ name: t('audit.through'), value });
  }
  if (link) {
    const value = t('audit.throughLink', { link: link.linkName, user: link.userName });
    facts.push({ name: t('audit.through'), value });
  }
  if (app) facts.push({ name: t('audit.through'), value: t('audit.throughApp', { app: app.appName }) });
  return facts;
}
