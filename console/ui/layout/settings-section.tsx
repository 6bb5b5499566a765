// One part of a settings page: what it is about on the left, its controls on the right.
import type { ReactNode } from 'react';
import style from './settings-section.module.css';

export interface SettingsSectionProps {
  readonly title: string;
  readonly lead: string;
  readonly children: ReactNode;
}

export function SettingsSection({ title, lead, children }: SettingsSectionProps) {
  return (
    <section className={style.section} aria-label={title}>
      <div className={style.about}>
        <h2 className={style.title}>{title}</h2>
        <p className={style.lead}>{lead}</p>
      </div>
      <div className={style.controls}>{children}</div>
    </section>
  );
}
