// A live region for screen readers: announces a count at most once in ten seconds.
import { useEffect, useRef, useState } from 'react';

const EVERY_MS = 10_000;

export function LiveRegion({ text }: { readonly text: string }) {
  const [announced, setAnnounced] = useState('');
  const announcedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (text === announced) return;
    const wait = Math.max(0, announcedAt.current + EVERY_MS - performance.now());
    const timer = window.setTimeout(() => {
      announcedAt.current = performance.now();
      setAnnounced(text);
    }, wait);
    return () => window.clearTimeout(timer);
  }, [text, announced]);
  return (
    <span className="visually-hidden" role="status">
      {announced}
    </span>
  );
}
