// Previous and next page of a list, with what is shown of how much.
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { IconButton } from '../buttons/icon-button.tsx';
import style from './pager.module.css';

export interface PagerProps {
  /** 1-based. */
  readonly page: number;
  readonly pages: number;
  readonly range: string;
  readonly previousLabel: string;
  readonly nextLabel: string;
  readonly onPage: (page: number) => void;
}

export function Pager({ page, pages, range, previousLabel, nextLabel, onPage }: PagerProps) {
  return (
    <div className={style.pager}>
      <span>{range}</span>
      <IconButton
        label={previousLabel}
        size="small"
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
        tipSide="top"
      >
        <IconChevronLeft size={16} stroke={1.8} />
      </IconButton>
      <IconButton
        label={nextLabel}
        size="small"
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
        tipSide="top"
      >
        <IconChevronRight size={16} stroke={1.8} />
      </IconButton>
    </div>
  );
}
