import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** The lines that stay in sight. Headings stay below them, so their height is in `--header-height`. */
export const ChartHeader = ({ children }: { readonly children: ComponentChildren }) => {
  const header = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize ?? 0;
      document.documentElement.style.setProperty('--header-height', `${height}px`);
    });
    if (header.current !== null) observer.observe(header.current);
    return () => observer.disconnect();
  }, []);
  return (
    <header ref={header} class="chart-header">
      {children}
    </header>
  );
};
