// The frame of one part of the own account: what it is about, its content, and lists of rows inside it.
import type { Profile } from '@vedette/contract/calls/account.ts';
import type { ReactNode } from 'react';
import rows from '../../ui/layout/list-rows.module.css';
import style from './personal-screen.module.css';

export interface PanelProps {
  readonly profile: Profile;
}

export interface PanelFrameProps {
  readonly title: string;
  readonly lead: string;
  readonly children: ReactNode;
}

export function PanelFrame({ title, lead, children }: PanelFrameProps) {
  return (
    <section className={style.frame} aria-label={title}>
      <h2 className={style.title}>{title}</h2>
      <p className={style.lead}>{lead}</p>
      <div className={style.content}>{children}</div>
    </section>
  );
}

export interface PanelRowProps {
  readonly name: ReactNode;
  readonly detail?: ReactNode;
  readonly mark?: string | null;
  readonly children?: ReactNode;
}

export function PanelRow({ name, detail, mark = null, children }: PanelRowProps) {
  return (
    <li className={rows.row}>
      <div className={rows.words}>
        <div className={style.rowName}>
          <span>{name}</span>
          {mark !== null && <span className={style.mark}>{mark}</span>}
        </div>
        {detail !== undefined && <div className={style.rowDetail}>{detail}</div>}
      </div>
      <div className={style.rowActions}>{children}</div>
    </li>
  );
}
