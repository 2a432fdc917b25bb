import { useEffect, useRef } from 'preact/hooks';
import { keepPlaces } from '../../model/orders.ts';
import type { ServiceRequest } from '../../model/resources.ts';

/** The orders in the places in which they were first shown, although some that were active are done by now. */
export const usePlaces = (sorted: readonly ServiceRequest[]): readonly ServiceRequest[] => {
  const places = useRef<readonly string[]>([]);
  const placed = keepPlaces(sorted, places.current);
  useEffect(() => {
    // A filter shows only some of them, and the others have their places after it.
    const shown = new Set(placed.map(({ id }) => id));
    places.current = [...placed.map(({ id }) => id), ...places.current.filter((id) => !shown.has(id))];
  });
  return placed;
};
