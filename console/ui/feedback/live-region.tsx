// A live region for screen readers: announces a count at most once in ten seconds.
import { useEffect, useRef, useState } from 'react';

const EVERY_MS = 10_000;

export function LiveRegion({ text }: { readonly text: string }) {
  const [told, setTold] = useState('');
  const toldAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (text === told) return;
    const wait = Math.max(0, toldAt.current + EVERY_MS - performance.now());
    const timer = window.setTimeout(() => {
      toldAt.current = performance.now();
      setTold(text);
    }, wait);
    return () => window.clearTimeout(timer);
  }, [text, told]);
  return (
    <span className="visually-hidden" role="status">
      {told}
    </span>
  );
}
