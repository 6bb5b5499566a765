// The form of a section, made of its fields; rows of a list stand under each other with their own limits.
import type { Field, PlainFields } from '@vedette/contract/config/fields.ts';
import { type ListLimits, limitsOfRow } from '@vedette/rules/config/limit-problems.ts';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useT } from '../../language/use-t.ts';
import type { ChannelPlace } from '../../navigation/paths.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import type { Values } from './config.query.ts';
import style from './device-config.module.css';
import { type Disk, DiskCards } from './disk-cards.tsx';
import { FieldControl } from './field-control.tsx';
import { fieldText, wordText } from './field-words.ts';
import { newRow } from './new-row.ts';
import { hasPlaces } from './video-overlay.tsx';
import { TryOutput } from './try-output.tsx';
import type { SectionEdit } from './use-section-edit.ts';

export interface SectionFormProps {
  readonly place: ChannelPlace;
  readonly edit: SectionEdit;
  /** The row that is in hand on the picture. */
  readonly chosen: number;
  readonly onChosen: (row: number) => void;
}

/** Fields that count only while another one is set so. */
const NEEDS: Readonly<Record<string, readonly [field: string, value: unknown]>> = {
  exposureTime: ['exposure', 'manual'],
  gain: ['exposure', 'manual'],
  wdrLevel: ['wdr', true],
  ntpServer: ['source', 'ntp'],
  ntpFromDhcp: ['source', 'ntp'],
  dstStart: ['dst', true],
  dstEnd: ['dst', true],
  dstShift: ['dst', true],
};

export function SectionForm({ place, edit, chosen, onChosen }: SectionFormProps) {
  const { fields, draft, limits, changed, problems, change } = edit;
  return (
    <div className={style.form}>
      {Object.entries(fields).map(([name, field]) => {
        const own = limits[name];
        const need = NEEDS[name];
        const isIdle = need !== undefined && need[0] in limits && draft[need[0]] !== need[1];
        if (own === undefined || isIdle || field.readOnly === true) return null;
        if (field.kind === 'list' && name === 'disks')
          return <DiskCards key={name} place={place} disks={(draft[name] ?? []) as readonly Disk[]} />;
        if (field.kind === 'list') {
          return (
            <Rows
              key={name}
              name={name}
              field={field}
              limits={own as ListLimits}
              {...{ place, edit, chosen, onChosen }}
            />
          );
        }
        return (
          <FieldControl
            key={name}
            name={name}
            field={field}
            value={draft[name]}
            limits={own}
            isChanged={changed.has(name)}
            problem={problems[name]}
            onValue={(value) => change({ [name]: value })}
          />
        );
      })}
    </div>
  );
}

interface RowsProps extends SectionFormProps {
  readonly name: string;
  readonly field: Extract<Field, { kind: 'list' }>;
  readonly limits: ListLimits;
}

function Rows({ place, name, field, limits, edit, chosen, onChosen }: RowsProps) {
  const t = useT();
  const rows = (edit.draft[name] ?? []) as readonly Values[];
  const seen = JSON.stringify(edit.draft[name]);
  const put = (next: readonly Values[]): void => edit.change({ [name]: next });
  return (
    <div className={style.rows} data-rows={seen.length}>
      <h3 className={style.listName}>{t.find(`config.list.${name}`) ?? fieldText(t, name)}</h3>
      {rows.length === 0 && <p className={style.none}>{t('config.noRows')}</p>}
      {rows.map((row, at) => (
        <section
          key={`${String(row['id'])} ${at}`}
          className={style.card}
          data-chosen={(rows.length > 1 && chosen === at && hasPlaces(field.fields)) || undefined}
          aria-label={rowName(t, name, row, at)}
          onFocus={() => onChosen(at)}
        >
          <header className={style.cardHead}>
            <span>{rowName(t, name, row, at)}</span>
            {!limits.isFixed && (
              <IconButton
                label={t('config.removeRow', { name: rowName(t, name, row, at) })}
                size="small"
                tipSide="left"
                onClick={() => put(rows.filter((_, other) => other !== at))}
              >
                <IconX size={14} stroke={1.8} />
              </IconButton>
            )}
          </header>
          <RowFields
            fields={field.fields}
            row={row}
            limits={limitsOfRow(limits, row, field.variant)}
            problemOf={(inner) => edit.problems[`${name}.${at}.${inner}`]}
            onRow={(part) => put(rows.map((one, other) => (other === at ? { ...one, ...part } : one)))}
          />
          {name === 'outputs' && <TryOutput place={place} output={String(row['id'])} />}
        </section>
      ))}
      {!limits.isFixed && (
        <Button
          icon={<IconPlus size={15} stroke={2} />}
          disabled={rows.length >= limits.most}
          onClick={() => {
            put([...rows, newRow(field.fields, limits.item, rows.length)]);
            onChosen(rows.length);
          }}
        >
          {t('config.addRow')}
        </Button>
      )}
    </div>
  );
}

interface RowFieldsProps {
  readonly fields: PlainFields;
  readonly row: Values;
  readonly limits: Values;
  readonly problemOf: (field: string) => SectionEdit['problems'][string] | undefined;
  readonly onRow: (part: Values) => void;
}

function RowFields({ fields, row, limits, problemOf, onRow }: RowFieldsProps) {
  return Object.entries(fields).map(([name, field]) =>
    limits[name] === undefined || field.readOnly === true ? null : (
      <FieldControl
        key={name}
        name={name}
        field={field}
        value={row[name]}
        limits={limits[name]}
        isChanged={false}
        problem={problemOf(name)}
        onValue={(value) => onRow({ [name]: value })}
      />
    ),
  );
}

function rowName(t: ReturnType<typeof useT>, list: string, row: Values, at: number): string {
  const own = row['text'] ?? row['name'];
  const name = typeof own === 'string' && own !== '' ? wordText(t, list, own) : '';
  return name === '' ? `${fieldText(t, list)} ${at + 1}` : name;
}
