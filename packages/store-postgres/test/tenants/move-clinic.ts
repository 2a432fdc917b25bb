import type { ClinicalRecords } from '@clinical-records/core';
import type { ClinicalStore } from '@clinical-records/core/store';
import { setTenantReadOnly, type TenantOptions } from '@clinical-records/store-postgres';

/** A clinic that works: its records, and where its tenant is. The pool is one of the owner of its tables. */
export type Clinic = { readonly records: ClinicalRecords; readonly tenant: TenantOptions };

/**
 * Moves a clinic to the store of a tenant on another server, while it works. Its writes are refused only for the time in which the last
 * of them are copied. `switchOver` writes the new server into your table of clinics. If it is interrupted, call it again.
 */
export const moveClinic = async (
  { records, tenant }: Clinic,
  target: ClinicalStore,
  switchOver: () => Promise<void>,
): Promise<void> => {
  await records.copyTo(target);
  try {
    await setTenantReadOnly({ ...tenant, isReadOnly: true });
    // From here on, both feeds end alike.
    await records.copyTo(target);
    await switchOver();
  } catch (cause) {
    await setTenantReadOnly({ ...tenant, isReadOnly: false });
    throw cause;
  }
};
