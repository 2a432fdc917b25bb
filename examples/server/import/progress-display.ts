import type { ImportProgress } from '@clinical-records/core';

/** Where progress is shown: standard error, or a replacement for it. */
export type Screen = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly write: (text: string) => unknown;
};

/** Shows the progress. `share` is the part of the bytes that was read, from 0 to 1. */
type ShowProgress = (share: number, progress: ImportProgress) => void;

/** Shows the progress of an import at each call of `show`; `end` shows the final state. */
export type ProgressDisplay = { readonly show: ShowProgress; readonly end: ShowProgress };

const width = 24;

const line = (share: number, { read, imported, waiting }: ImportProgress): string => {
  const all = `${String(Math.floor(share * 100)).padStart(3)} %, ${read} read, ${imported} imported`;
  return waiting === 0 ? all : `${all}, ${waiting} waiting`;
};

/** A progress bar that is redrawn in place. */
const createBar = (screen: Screen): ProgressDisplay => {
  const show: ShowProgress = (share, progress) => {
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

/** A line for each tenth, for logs: first of the files that are read, and then of the resources that had to wait. */
const createLines = (screen: Screen): ProgressDisplay => {
  let tenths = 0;
  let mostWaiting = 0;
  const end: ShowProgress = (share, progress) => {
    screen.write(`Importing: ${line(share, progress)}\n`);
  };
  return {
    show: (share, progress) => {
      // It only grows while files are read.
      mostWaiting = Math.max(mostWaiting, progress.waiting);
      const settled = mostWaiting === 0 ? 0 : 1 - progress.waiting / mostWaiting;
      const reached = Math.floor(share * 10) + Math.floor(settled * 10);
      // The last line of each part is left to the next output.
      if (reached % 10 === 0 || reached <= tenths) return;
      tenths = reached;
      end(share, progress);
    },
    end,
  };
};

export const createProgressDisplay = (screen: Screen): ProgressDisplay =>
  screen.isTTY ? createBar(screen) : createLines(screen);
