// The bar on top of a screen: title, one fact, actions.
import type { ReactNode } from 'react';
import style from './page-header.module.css';

export interface PageHeaderProps {
  readonly title: string;
  readonly fact?: ReactNode;
  readonly children?: ReactNode;
}

export function PageHeader({ title, fact, children }: PageHeaderProps) {
  return (
    <header className={style.bar}>
      <h1 className={style.title}>{title}</h1>
      {fact !== undefined && <div className={style.fact}>{fact}</div>}
      <div className={style.actions}>{children}</div>
    </header>
  );
}
