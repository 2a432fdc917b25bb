import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** What stands in the way of a form. It gets the focus: its place may be out of sight, and a disabled button has lost it. */
export const FormNotice = ({ children }: { readonly children: ComponentChildren }) => {
  const notice = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => notice.current?.focus(), []);
  return (
    <div ref={notice} class="notice" role="alert" tabIndex={-1}>
      {children}
    </div>
  );
};
