// Placeholder while the first screen's code loads: the logo, only after a moment.
import { BrandMark } from '../ui/theme/brand-mark.tsx';
import style from './loading-page.module.css';

export function LoadingPage() {
  return (
    <div className={style.page}>
      <BrandMark size={32} />
    </div>
  );
}
