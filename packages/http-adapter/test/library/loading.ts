import { orThrow } from '@clinical-records/core';
import type { Clinic } from '../clinic.ts';

export const leftOut = 'Nothing in the element can be kept, and it was left out.';

/** Loads resources, and tells how many were taken, and each problem as `id: reason`. */
export const loading =
  (clinic: () => Clinic) =>
  async (...resources: (string | object)[]) => {
    const { taken, problems } = await orThrow(clinic().records.importer.load(resources));
    return { taken, problems: problems.map(({ id, reason }) => `${id}: ${reason}`) };
  };
