// The mark: a watch-post seen as a V, its field of view opening upwards, the sentinel's eye between the arms.
export function BrandMark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path d="M2.5 6h6.2L16 21.2 23.3 6h6.2L18.2 29h-4.4z" fill="currentColor" />
      <circle cx="16" cy="7.6" r="4.1" fill="var(--accent)" />
    </svg>
  );
}
