// What the rows of a CSV file are or have become: a table that shows the problems first if asked.
import type { ImportRow } from '@vedette/contract/calls/onboarding.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { useMemo, useState } from 'react';
import { codeText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { SwitchField } from '../../ui/fields/switch-field.tsx';
import style from './import-rows.module.css';

/** More rows than anybody reads; the report has all of them. */
const SHOWN_MAX = 200;

const BAD: readonly ImportRow['state'][] = ['invalid', 'failed'];

export function isBad({ state }: ImportRow): boolean {
  return BAD.includes(state);
}

/** One sentence for what is wrong, or '' where nothing is. */
export function rowText(t: Translate, row: ImportRow): string {
  const problems = Object.entries(row.problems).map(([column, problem]) => {
    const name = t.find(`column.${column}`) ?? column;
    return t.find(`rowProblem.${problem}`, { column: name }) ?? `${name}: ${problem}`;
  });
  if (problems.length > 0) return problems.join(' · ');
  return row.code === null ? '' : codeText(t, row.code, '', row.reason === null ? null : { reason: row.reason });
}

export interface ImportRowsProps {
  readonly rows: readonly ImportRow[];
  /** What a line is called: its number, after the name of its file where there are several. */
  readonly placeOf: (line: number) => string;
}

export function ImportRows({ rows, placeOf }: ImportRowsProps) {
  const t = useT();
  const [isBadOnly, setBadOnly] = useState(false);
  const bad = useMemo(() => rows.filter(isBad), [rows]);
  const added = rows.filter(({ state }) => state === 'added').length;
  const ready = rows.filter(({ state }) => state === 'ready').length;
  const hasNames = rows.some(({ line }) => placeOf(line) !== String(line));
  const shown = (isBadOnly && bad.length > 0 ? bad : rows).slice(0, SHOWN_MAX);
  return (
    <div className={style.root}>
      <div className={style.head}>
        <span className={style.counts}>
          {ready > 0 && <span>{t.plural('file.ready', ready)}</span>}
          {added > 0 && <span data-tone="good">{t('file.added', { count: added })}</span>}
          {bad.length > 0 && <span data-tone="bad">{t.plural('file.bad', bad.length)}</span>}
        </span>
        <SwitchField label={t('file.onlyBad')} isOn={isBadOnly} onToggle={setBadOnly} disabled={bad.length === 0} />
      </div>
      <div className={style.scroll}>
        <table className={style.table} aria-label={t('file.rows')} data-many-files={hasNames || undefined}>
          <thead>
            <tr>
              <th scope="col">{t('file.line')}</th>
              <th scope="col">{t('column.name')}</th>
              <th scope="col">{t('column.address')}</th>
              <th scope="col">{t('file.state')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Row key={row.line} row={row} place={placeOf(row.line)} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Row({ row, place }: { readonly row: ImportRow; readonly place: string }) {
  const t = useT();
  const why = rowText(t, row);
  return (
    <tr data-state={row.state}>
      <td title={place}>{place}</td>
      <td title={row.deviceName}>{row.deviceName || '–'}</td>
      <td title={row.address}>{row.address || '–'}</td>
      <td>
        <span className={style.state}>{t(`row.${row.state}`)}</span>
        {why !== '' && <p className={style.why}>{why}</p>}
      </td>
    </tr>
  );
}
