import type { ImportProgress } from '@clinical-records/core';

/** Where progress is shown: standard error, or what stands for it. */
export type Screen = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly write: (text: string) => unknown;
};

/** `share` is the part of the bytes that was read, from 0 to 1. */
type ShowProgress = (share: number, progress: ImportProgress) => void;

/** Shows how far an import is, as often as it is told; `end` has the last word. */
export type ProgressDisplay = { readonly show: ShowProgress; readonly end: ShowProgress };

const width = 24;

const line = (share: number, { read, imported, waiting }: ImportProgress): string => {
  const all = `${String(Math.floor(share * 100)).padStart(3)} %, ${read} read, ${imported} taken`;
  return waiting === 0 ? all : `${all}, ${waiting} waiting`;
};

/** A bar that is drawn over itself. */
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

/** A line for each tenth, for logs: of what is read, and then of what had to wait. */
const createLines = (screen: Screen): ProgressDisplay => {
  let tenths = 0;
  let mostWaiting = 0;
  const end: ShowProgress = (share, progress) => {
    screen.write(`Importing: ${line(share, progress)}\n`);
  };
  return {
    show: (share, progress) => {
      // While files are read, it only grows.
      mostWaiting = Math.max(mostWaiting, progress.waiting);
      const settled = mostWaiting === 0 ? 0 : 1 - progress.waiting / mostWaiting;
      const reached = Math.floor(share * 10) + Math.floor(settled * 10);
      // The last line of each part is left to what follows.
      if (reached % 10 === 0 || reached <= tenths) return;
      tenths = reached;
      end(share, progress);
    },
    end,
  };
};

export const createProgressDisplay = (screen: Screen): ProgressDisplay =>
  screen.isTTY ? createBar(screen) : createLines(screen);
