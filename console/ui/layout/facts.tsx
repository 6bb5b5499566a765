// Names and values under each other.
import type { ReactNode } from 'react';
import style from './facts.module.css';

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={style.facts}>
      {facts.map(({ name, value }) => (
        <div key={name} className={style.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A headed part of an inspector or a settings page. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={style.section}>
      <h3 className={style.heading}>{title}</h3>
      {children}
    </section>
  );
}
