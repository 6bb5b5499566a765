// The dialogs of sharing, once for the whole console: what they are about is chosen anywhere.
import { GuestLinkDialog } from './guest-link-dialog.tsx';
import { ShareDialog } from './share-dialog.tsx';
import { closeShareDialog, useShareDialog } from './share-target.ts';

export function ShareDialogs() {
  const open = useShareDialog((state) => state.open);
  if (open === null) return null;
  if (open.kind === 'link') return <GuestLinkDialog target={open.target} onClose={closeShareDialog} />;
  if (open.kind === 'share') return <ShareDialog targets={open.targets} onClose={closeShareDialog} />;
  return <ShareDialog key={open.share.shareId} targets={[]} share={open.share} onClose={closeShareDialog} />;
}
