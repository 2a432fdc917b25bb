import type { DataLocation } from './data-location.ts';
import { createWholeFile } from './whole-file.ts';
import { createWholeSchema } from './whole-schema.ts';

/** Creates the data of a location as `fill` fills it, as a whole or not at all. Returns false if it exists. */
export const createWhole = (
  location: DataLocation,
  fill: (location: DataLocation) => Promise<void>,
): Promise<boolean> =>
  location._tag === 'File' ? createWholeFile(location, fill) : createWholeSchema(location, fill);
