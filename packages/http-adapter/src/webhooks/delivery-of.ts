import { createHash } from 'node:crypto';
import type { ResourceChange } from '@clinical-records/core';
import type { Delivery } from './delivery-queue.ts';

/**
 * The delivery of a change. A version number may exist again, with other content, after a copy was restored. So the id is
 * made of the position, which contains the digest of the version.
 */
export const deliveryOf = (change: ResourceChange, includeResource: boolean): Delivery => {
  const { position, resourceType, id, version, patientId, at, by, resource } = change;
  return {
    webhookId: createHash('sha256').update(position).digest('hex'),
    record: `${resourceType}/${id}`,
    body: JSON.stringify({
      type: `${resourceType}.changed`,
      timestamp: at,
      data: { resourceType, id, version, patientId, by, ...(includeResource ? { resource } : {}) },
    }),
    attempts: 0,
  };
};
