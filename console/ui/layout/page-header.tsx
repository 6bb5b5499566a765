// The bar on top of a screen: title, one fact, actions.
import type { ReactNode } from 'react';
import style from './page-header.module.css';

export interface PageHeaderProps {
  readonly title: string;
  readonly fact?: ReactNode;
  /** 2 where the screen's own title stands beside it. */
  readonly level?: 1 | 2;
  readonly children?: ReactNode;
}

export function PageHeader({ title, fact, level = 1, children }: PageHeaderProps) {
  const Title = level === 1 ? 'h1' : 'h2';
  return (
    <header className={style.bar} data-page-bar>
      <Title className={style.title}>{title}</Title>
      {fact !== undefined && <div className={style.fact}>{fact}</div>}
      <div className={style.actions}>{children}</div>
    </header>
  );
}
