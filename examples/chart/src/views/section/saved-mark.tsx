import { useLayoutEffect, useRef } from 'preact/hooks';
import { Mark } from './mark.tsx';
import { useViewState } from './view-state.tsx';

const Shown = () => {
  const mark = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => mark.current?.scrollIntoView({ block: 'center' }), []);
  return (
    <span ref={mark} class="saved">
      <Mark icon="completed" tone="good">
        Saved
      </Mark>
    </span>
  );
};

/** Says that the user has just saved a record, and brings its row into sight. */
export const SavedMark = ({ id }: { readonly id: string }) =>
  useViewState().savedId === id ? <Shown key={id} /> : null;
