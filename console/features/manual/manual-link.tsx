// A link to a place of the manual. A plain click may be taken over, so that a panel shows the place instead of the page.
import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import { manualAddress } from '../../navigation/paths.ts';
import type { ManualPlace } from './chapters.ts';

export type FollowPlace = (place: ManualPlace) => void;

export interface ManualLinkProps {
  readonly place: ManualPlace;
  readonly onFollow?: FollowPlace | undefined;
  readonly className?: string | undefined;
  readonly isCurrent?: boolean;
  readonly children: ReactNode;
}

export function ManualLink({ place, onFollow, className, isCurrent = false, children }: ManualLinkProps) {
  const onClick = (event: MouseEvent): void => {
    // With a modifier the link opens in a tab or window of its own.
    if (onFollow === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onFollow(place);
  };
  return (
    <Link
      to={manualAddress(place)}
      onClick={onClick}
      className={className ?? ''}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {children}
    </Link>
  );
}
