// Overlay of a configuration section: texts that are dragged, areas whose corners are dragged, cells that are painted.
import type { Fields, Grid, PlainFields, Point } from '@vedette/contract/config/fields.ts';
import type { Values } from './config.query.ts';
import { CellOverlay } from './cell-overlay.tsx';
import style from './device-config.module.css';
import { PointHandle } from './point-handle.tsx';
import { PolygonOverlay } from './polygon-overlay.tsx';
import type { SectionEdit } from './use-section-edit.ts';

export interface VideoOverlayProps {
  readonly edit: SectionEdit;
  readonly chosen: number;
  readonly onChosen: (row: number) => void;
}

export function hasPlaces(fields: Fields | PlainFields): boolean {
  return Object.values(fields).some((field) =>
    field.kind === 'list' ? hasPlaces(field.fields) : ['point', 'polygon', 'grid'].includes(field.kind),
  );
}

export function VideoOverlay({ edit, chosen, onChosen }: VideoOverlayProps) {
  return (
    <div className={style.overlay}>
      {Object.entries(edit.fields).map(([name, field]) => {
        const value = edit.draft[name];
        if (edit.limits[name] === undefined || value === undefined) return null;
        const put = (next: unknown): void => edit.change({ [name]: next });
        if (field.kind === 'grid') return <CellOverlay key={name} grid={value as Grid} onGrid={put} />;
        if (field.kind === 'polygon') {
          return <PolygonOverlay key={name} points={value as readonly Point[]} isChosen label={name} onPoints={put} />;
        }
        if (field.kind !== 'list') return null;
        const rows = value as readonly Values[];
        return rows.map((row, at) => (
          <RowPlaces
            key={`${name} ${at}`}
            fields={field.fields}
            row={row}
            isChosen={at === chosen}
            onChosen={() => onChosen(at)}
            onRow={(part) => put(rows.map((one, other) => (other === at ? { ...one, ...part } : one)))}
          />
        ));
      })}
    </div>
  );
}

interface RowPlacesProps {
  readonly fields: PlainFields;
  readonly row: Values;
  readonly isChosen: boolean;
  readonly onChosen: () => void;
  readonly onRow: (part: Values) => void;
}

function RowPlaces({ fields, row, isChosen, onChosen, onRow }: RowPlacesProps) {
  return Object.entries(fields).map(([name, { kind }]) => {
    const value = row[name];
    if (value === undefined) return null;
    const put = (next: unknown): void => onRow({ [name]: next });
    const text = String(row['text'] ?? '');
    const shared = { isChosen, onChosen };
    if (kind === 'point')
      return <PointHandle key={name} place={value as Point} label={text} {...shared} onPlace={put} />;
    if (kind === 'polygon') {
      return <PolygonOverlay key={name} points={value as readonly Point[]} label={name} {...shared} onPoints={put} />;
    }
    return null;
  });
}
