import { afterAll, beforeAll, describe } from 'vitest';
import { type Clinic, startClinic } from './clinic.ts';
import { describeFhirKitClient } from './fhir-kit-client.ts';
import { describeFhirclient } from './fhirclient.ts';
import { describeMedplumClient } from './medplum.ts';
import { stores } from './stores.ts';

describe.each(stores)('FHIR clients on %s', (_, createStore) => {
  let clinic: Clinic;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const { store, remove } = await createStore();
    clinic = await startClinic(store);
    close = async () => {
      await clinic.close();
      await remove();
    };
  });
  afterAll(() => close());

  describeFhirKitClient(() => clinic);
  describeFhirclient(() => clinic);
  describeMedplumClient(() => clinic);
});
