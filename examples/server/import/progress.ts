import type { ImportProgress } from '@clinical-records/core';

/** Where progress is shown: standard error, or what stands for it. */
export type Screen = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly write: (text: string) => unknown;
};

/** Shows how far an import is; `share` is the part of the bytes that was read, from 0 to 1. */
export type ProgressDisplay = {
  readonly show: (share: number, progress: ImportProgress) => void;
  readonly end: () => void;
};

const width = 24;

const line = (share: number, { read, taken }: ImportProgress): string =>
  `${String(Math.floor(share * 100)).padStart(3)} %, ${read} read, ${taken} taken`;

/** A bar that is drawn over itself. */
const bar = (screen: Screen): ProgressDisplay => ({
  show: (share, progress) => {
    const done = Math.round(share * width);
    const drawn = `Importing ${'█'.repeat(done)}${'░'.repeat(width - done)} ${line(share, progress)}`;
    screen.write(`\r${drawn.slice(0, (screen.columns ?? 80) - 1)}\u001b[K`);
  },
  end: () => {
    screen.write('\n');
  },
});

/** A line for each tenth, for logs. */
const lines = (screen: Screen): ProgressDisplay => {
  let tenths = 0;
  return {
    show: (share, progress) => {
      if (Math.floor(share * 10) <= tenths) return;
      tenths = Math.floor(share * 10);
      screen.write(`Importing: ${line(share, progress)}\n`);
    },
    end: () => {},
  };
};

export const progressOn = (screen: Screen): ProgressDisplay => (screen.isTTY ? bar(screen) : lines(screen));
