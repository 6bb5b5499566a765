// A dense table: sticky head, sortable columns, one selected row, arrow keys between rows.
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { DragEvent, KeyboardEvent, ReactNode } from 'react';
import { CheckBox } from '../fields/check-box.tsx';
import style from './data-table.module.css';

export interface Column<R, S extends string> {
  readonly id: string;
  readonly title: string;
  readonly draw: (row: R) => ReactNode;
  /** Name by which the server sorts; not sortable where absent. */
  readonly sort?: S;
  /** Any CSS width; the rest is shared. */
  readonly width?: string;
  /** Left out on narrow work areas. */
  readonly isMinor?: boolean;
  /** Left out where there is hardly room for a name. */
  readonly isLesser?: boolean;
}

export interface DataTableProps<R, S extends string> {
  readonly label: string;
  readonly columns: readonly Column<R, S>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R) => string;
  readonly nameOf: (row: R) => string;
  readonly selectedKey: string | null;
  readonly onSelect: (row: R) => void;
  readonly sort: { readonly by: S; readonly order: 'asc' | 'desc' };
  readonly onSort: (by: S) => void;
  /** The rows are of an earlier question while the answer is on its way. */
  readonly isStale?: boolean;
  /** Rows can be dragged out of the table. */
  readonly onDragRow?: (row: R, event: DragEvent) => void;
  /** A box before each row, and one above them for all. */
  readonly ticks?: {
    readonly keys: ReadonlySet<string>;
    readonly onKeys: (keys: ReadonlySet<string>) => void;
    readonly allLabel: string;
    readonly labelOf: (row: R) => string;
  };
}

function focusRow(event: KeyboardEvent<HTMLTableRowElement>, step: 1 | -1): void {
  const row = event.currentTarget;
  const next = step === 1 ? row.nextElementSibling : row.previousElementSibling;
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
}

export function DataTable<R, S extends string>(props: DataTableProps<R, S>) {
  const { columns, rows, keyOf, nameOf, selectedKey, onSelect, sort, onSort, ticks, onDragRow } = props;
  const hasSelected = rows.some((row) => keyOf(row) === selectedKey);
  const onKey = (event: KeyboardEvent<HTMLTableRowElement>, row: R): void => {
    if (event.key === 'ArrowDown') focusRow(event, 1);
    else if (event.key === 'ArrowUp') focusRow(event, -1);
    else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onSelect(row);
    }
  };
  return (
    <table className={style.table} aria-label={props.label} data-stale={props.isStale || undefined}>
      <colgroup>
        {ticks !== undefined && <col className={style.tickColumn} />}
        {columns.map((column) => (
          <col
            key={column.id}
            style={{ width: column.width }}
            data-minor={column.isMinor || undefined}
            data-lesser={column.isLesser || undefined}
          />
        ))}
      </colgroup>
      <thead>
        <tr>
          {ticks !== undefined && <AllTick ticks={ticks} keys={rows.map(keyOf)} />}
          {columns.map((column) => (
            <th
              key={column.id}
              scope="col"
              data-minor={column.isMinor || undefined}
              data-lesser={column.isLesser || undefined}
              aria-sort={column.sort === sort.by ? (sort.order === 'asc' ? 'ascending' : 'descending') : undefined}
            >
              {column.sort === undefined ? (
                column.title
              ) : (
                <SortButton title={column.title} sort={column.sort} now={sort} onSort={onSort} />
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => {
          const key = keyOf(row);
          const isSelected = key === selectedKey;
          return (
            <tr
              key={key}
              tabIndex={isSelected || (!hasSelected && at === 0) ? 0 : -1}
              aria-label={nameOf(row)}
              data-row={key}
              aria-selected={isSelected}
              draggable={onDragRow !== undefined}
              onDragStart={(event) => onDragRow?.(row, event)}
              onClick={() => onSelect(row)}
              onKeyDown={(event) => onKey(event, row)}
            >
              {ticks !== undefined && <Tick ticks={ticks} row={row} rowKey={key} />}
              {columns.map((column) => (
                <td key={column.id} data-minor={column.isMinor || undefined} data-lesser={column.isLesser || undefined}>
                  {column.draw(row)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

type Ticks<R> = NonNullable<DataTableProps<R, string>['ticks']>;

function AllTick<R>({ ticks, keys }: { readonly ticks: Ticks<R>; readonly keys: readonly string[] }) {
  const ticked = keys.filter((key) => ticks.keys.has(key)).length;
  return (
    <th scope="col" className={style.tick}>
      <CheckBox
        label={ticks.allLabel}
        isLabelHidden
        isOn={keys.length > 0 && ticked === keys.length}
        isPartly={ticked > 0 && ticked < keys.length}
        onToggle={(isOn) => ticks.onKeys(new Set([...others(ticks.keys, keys), ...(isOn ? keys : [])]))}
      />
    </th>
  );
}

/** Rows of other pages stay as they are. */
function others(ticked: ReadonlySet<string>, keys: readonly string[]): string[] {
  return [...ticked].filter((key) => !keys.includes(key));
}

function Tick<R>({ ticks, row, rowKey }: { readonly ticks: Ticks<R>; readonly row: R; readonly rowKey: string }) {
  const toggle = (isOn: boolean): void => {
    const keys = new Set(ticks.keys);
    if (isOn) keys.add(rowKey);
    else keys.delete(rowKey);
    ticks.onKeys(keys);
  };
  return (
    // The box is not the row: ticking it opens nothing.
    <td className={style.tick} onClick={(event) => event.stopPropagation()} onKeyDown={stopKeys}>
      <CheckBox label={ticks.labelOf(row)} isLabelHidden isOn={ticks.keys.has(rowKey)} onToggle={toggle} />
    </td>
  );
}

/** Arrows go on to the row; what ticks the box must not open it. */
function stopKeys(event: KeyboardEvent): void {
  if (event.key === ' ' || event.key === 'Enter') event.stopPropagation();
}

interface SortButtonProps<S extends string> {
  readonly title: string;
  readonly sort: S;
  readonly now: { readonly by: S; readonly order: 'asc' | 'desc' };
  readonly onSort: (by: S) => void;
}

function SortButton<S extends string>({ title, sort, now, onSort }: SortButtonProps<S>) {
  const Icon = now.order === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <button type="button" className={style.sort} onClick={() => onSort(sort)}>
      {title}
      <Icon size={13} stroke={2} aria-hidden="true" visibility={sort === now.by ? 'visible' : 'hidden'} />
    </button>
  );
}
