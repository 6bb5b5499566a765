// An image that says in fixed words that it did not load (ER-05).
import { type ImgHTMLAttributes, useState } from 'react';

/** The same in every language, as the specification names it. */
const LOAD_FAILED = '加载失败';

export type ShownImageProps = Omit<ImgHTMLAttributes<HTMLImageElement>, 'src' | 'alt' | 'onError'> & {
  readonly src: string;
  readonly alt: string;
};

export function ShownImage({ src, alt, ...rest }: ShownImageProps) {
  const [failed, setFailed] = useState<string | null>(null);
  const isBroken = failed === src;
  return (
    <img
      {...rest}
      src={src}
      alt={isBroken ? LOAD_FAILED : alt}
      lang={isBroken ? 'zh-CN' : undefined}
      onError={() => setFailed(src)}
    />
  );
}
