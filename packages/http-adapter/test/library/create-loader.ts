import type { Clinic } from '../clinic.ts';

export const leftOutMessage = 'The element could not be imported and was left out.';

/** Loads resources, and tells how many were taken, and each problem as `id: reason`. */
export const createLoader =
  (clinic: () => Clinic) =>
  async (...resources: (string | object)[]) => {
    const { taken, issues } = await clinic().records.importer.load(resources);
    return { taken, problems: issues.map(({ id, reason }) => `${id}: ${reason}`) };
  };
