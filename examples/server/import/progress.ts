import type { ImportProgress } from '@clinical-records/core';

/** Where progress is shown: standard error, or what stands for it. */
export type Screen = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly write: (text: string) => unknown;
};

/** `share` is the part of the bytes that was read, from 0 to 1. */
type Show = (share: number, progress: ImportProgress) => void;

/** Shows how far an import is, as often as it is told; `end` has the last word. */
export type ProgressDisplay = { readonly show: Show; readonly end: Show };

const width = 24;

const line = (share: number, { read, taken }: ImportProgress): string =>
  `${String(Math.floor(share * 100)).padStart(3)} %, ${read} read, ${taken} taken`;

/** A bar that is drawn over itself. */
const bar = (screen: Screen): ProgressDisplay => {
  const show: Show = (share, progress) => {
    const done = Math.round(share * width);
    const drawn = `Importing ${'█'.repeat(done)}${'░'.repeat(width - done)} ${line(share, progress)}`;
    screen.write(`\r${drawn.slice(0, (screen.columns || 80) - 1)}\u001b[K`);
  };
  return {
    show,
    end: (share, progress) => {
      show(share, progress);
      screen.write('\n');
    },
  };
};

/** A line for each tenth, for logs. */
const lines = (screen: Screen): ProgressDisplay => {
  let tenths = 0;
  const end: Show = (share, progress) => {
    screen.write(`Importing: ${line(share, progress)}\n`);
  };
  return {
    show: (share, progress) => {
      if (share === 1 || Math.floor(share * 10) <= tenths) return;
      tenths = Math.floor(share * 10);
      end(share, progress);
    },
    end,
  };
};

export const progressOn = (screen: Screen): ProgressDisplay => (screen.isTTY ? bar(screen) : lines(screen));
