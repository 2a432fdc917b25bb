import { monthNames } from './dates.ts';

/** A mark of the axis: its place in percent of the width, and its label. */
type Tick = { readonly at: number; readonly label: string };

/** A line of time: places of moments in percent of the width, and its marks. */
export type TimeScale = {
  /** A moment before the line is at its edge. */
  readonly place: (moment: number) => number;
  /** Whether a moment is before the line. */
  readonly isEarlier: (moment: number) => boolean;
  readonly ticks: readonly Tick[];
};

const day = 86_400_000;
const month = 30.44 * day;

/** The distances between marks, in months. */
const steps = [1, 2, 3, 6, 12, 24, 60, 120, 240];

/** More marks than this do not fit beside each other on a phone. */
const maxTicks = 5;

const tickLabelOf = (moment: number, step: number): string => {
  const date = new Date(moment);
  if (step >= 12 || date.getUTCMonth() === 0) return String(date.getUTCFullYear());
  return monthNames.format(date);
};

const round = (percent: number): number => Math.round(percent * 100) / 100;

/**
 * The first moment of a line. A few moments long before all others are left out, if the others then have three times the room: a
 * tenth of all, and of four or more at least one.
 */
const firstOf = (sorted: readonly number[], last: number): number => {
  const first = Math.min(sorted[0] ?? last, last);
  const most = sorted.length < 4 ? 0 : Math.max(1, Math.floor(sorted.length / 10));
  const others = sorted.slice(1, most + 1);
  return others.find((moment) => (last - moment) * 3 <= last - first) ?? first;
};

/** A scale of moments and today, with a margin on both sides and marks at the beginnings of months. */
export const createTimeScale = (moments: readonly number[], now: number): TimeScale => {
  const sorted = [...moments, now].toSorted((a, b) => a - b);
  const last = sorted.at(-1) ?? now;
  const first = firstOf(sorted, last);
  const margin = Math.max((last - first) * 0.04, 7 * day);
  const [start, end] = [first - margin, last + margin];
  const isEarlier = (moment: number) => moment < start;
  const place = (moment: number) => round(((Math.max(moment, start) - start) / (end - start)) * 100);
  const span = (end - start) / month;
  const step = steps.find((one) => span / one <= maxTicks) ?? 240;
  const begin = new Date(start);
  const startMonth = begin.getUTCFullYear() * 12 + begin.getUTCMonth() + 1;
  const ticks: Tick[] = [];
  for (let at = Math.ceil(startMonth / step) * step; ; at += step) {
    const moment = Date.UTC(Math.floor(at / 12), at % 12);
    if (moment > end) return { place, isEarlier, ticks };
    ticks.push({ at: place(moment), label: tickLabelOf(moment, step) });
  }
};
