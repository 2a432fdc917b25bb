import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { renderAtOnce } from '../render-at-once.ts';

/** How much of the chart is printed: the first rows of each section, or everything. */
export type PrintKind = 'summary' | 'everything';

/** The sections that are folded, the record that was saved last, and what is printed at the moment. */
export type ViewState = {
  readonly folded: ReadonlySet<string>;
  readonly fold: (id: string, isFolded: boolean) => void;
  /** Null on the screen. */
  readonly printing: PrintKind | null;
  readonly print: (kind: PrintKind) => void;
  /** The id of the record that the user saved last. Its row is shown, whatever is folded or searched for. */
  readonly savedId: string | null;
};

const ViewStateContext = createContext<ViewState>({
  folded: new Set(),
  fold: () => {},
  printing: null,
  print: () => {},
  savedId: null,
});

/** On paper, no section is folded or filtered. The browser's own print is a summary. */
export const ViewStateProvider = ({
  savedId,
  children,
}: {
  readonly savedId: string | null;
  readonly children: ComponentChildren;
}) => {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [printing, setPrinting] = useState<PrintKind | null>(null);
  useEffect(() => {
    const begin = () => renderAtOnce(() => setPrinting((kind) => kind ?? 'summary'));
    const end = () => setPrinting(null);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  const state = useMemo(
    (): ViewState => ({
      folded,
      fold: (id, isFolded) =>
        setFolded((before) => new Set(isFolded ? [...before, id] : [...before].filter((one) => one !== id))),
      ...{ printing, savedId },
      print: (kind) => {
        renderAtOnce(() => setPrinting(kind));
        window.print();
      },
    }),
    [folded, printing, savedId],
  );
  return <ViewStateContext.Provider value={state}>{children}</ViewStateContext.Provider>;
};

export const useViewState = (): ViewState => useContext(ViewStateContext);
