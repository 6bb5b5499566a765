// A QR code, drawn here: the secret in it is sent to nobody.
import { useMemo } from 'react';
import { encode } from 'uqr';
import style from './qr-code.module.css';

export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, path } = useMemo(() => {
    const picture = encode(text, { ecc: 'M', border: 0 });
    const squares = picture.data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
    );
    return { size: picture.size, path: squares.join('') };
  }, [text]);
  return (
    <div className={style.code}>
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
        <path d={path} fill="#000" />
      </svg>
    </div>
  );
}
