// A message inside a view: what went wrong or what to know, where it matters.
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import style from './notice.module.css';

export interface NoticeProps {
  readonly tone: 'error' | 'warning' | 'info';
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

export function Notice({ tone, children, action }: NoticeProps) {
  const Icon = tone === 'info' ? IconInfoCircle : IconAlertTriangle;
  return (
    <div className={style.notice} data-tone={tone} role={tone === 'error' ? 'alert' : 'status'}>
      <Icon size={16} stroke={1.9} aria-hidden="true" />
      <div className={style.text}>{children}</div>
      {action}
    </div>
  );
}
