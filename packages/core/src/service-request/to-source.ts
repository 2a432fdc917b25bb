import { withFurtherCodings } from '../fhir/coded-concept.ts';
import { deriveServiceRequest } from './derive.ts';
import type { OrderRecord } from './model.ts';

/** The order of a record as other systems send it: its period may have been sent as one time. */
export const createServiceRequestToSource = (extensionBase: string) => {
  const derive = deriveServiceRequest(extensionBase);
  return (record: OrderRecord): object | null => {
    const order = derive(record);
    if (order === null) return null;
    return {
      ...order,
      code: withFurtherCodings(order.code),
      occurrenceDateTime: order.occurrencePeriod?.start,
    };
  };
};
