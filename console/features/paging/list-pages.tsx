// The pages of a list: what is shown of how much, and the way to the next page.
import { useT } from '../../language/use-t.ts';
import { Pager } from '../../ui/layout/pager.tsx';
import layout from '../../ui/layout/side-layout.module.css';

export interface ListPagesProps {
  readonly total: number;
  readonly pageSize: number;
  /** From 0. */
  readonly pageStart: number;
  readonly onPage: (pageStart: number) => void;
}

export function ListPages({ total, pageSize, pageStart, onPage }: ListPagesProps) {
  const t = useT();
  const from = pageStart * pageSize;
  return (
    <Pager
      page={pageStart + 1}
      pages={Math.ceil(total / pageSize)}
      range={t('devices.range', { from: from + 1, to: Math.min(from + pageSize, total), total })}
      previousLabel={t('common.previous')}
      nextLabel={t('common.next')}
      onPage={(page) => onPage(page - 1)}
    />
  );
}

/** Under a table; nothing where one page holds all of it. */
export function ListFoot(props: ListPagesProps) {
  if (props.total <= props.pageSize) return null;
  return (
    <footer className={layout.foot}>
      <ListPages {...props} />
    </footer>
  );
}
