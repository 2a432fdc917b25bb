import type { ClinicalRecords, OrderCommand } from '@clinical-records/core';
import { dayFromToday } from './calendar.ts';
import { anika, conditionIds, lindqvist, nils, okafor, rosa, rosaVisit } from './people.ts';

type Coding = OrderCommand['code']['coding'][number];

const loinc = (code: string, display: string): Coding => ({ system: 'http://loinc.org', code, display });

const referralNote = loinc('57133-1', 'Referral note');

/** The ordered codes of each category: for a draft, an active, a completed and an entered-in-error order. */
const codingsByKind: Readonly<Record<OrderCommand['kind'], readonly (readonly Coding[])[]>> = {
  imagingOrder: [
    [loinc('24627-2', 'CT Chest')],
    [loinc('36643-5', 'XR Chest 2 Views')],
    [loinc('24558-9', 'US Abdomen')],
    [loinc('24725-4', 'CT Head')],
  ],
  labOrder: [
    [loinc('3016-3', 'Thyrotropin [Units/volume] in Serum or Plasma')],
    [loinc('4548-4', 'Hemoglobin A1c/Hemoglobin.total in Blood')],
    [loinc('57698-3', 'Lipid panel with direct LDL - Serum or Plasma')],
    [loinc('58410-2', 'CBC panel - Blood by Automated count')],
  ],
  referral: [
    [loinc('34797-1', 'Ophthalmology Consult note'), referralNote],
    [loinc('34099-2', 'Cardiology Consult note'), referralNote],
    [loinc('34800-3', 'Nutrition and dietetics Consult note'), referralNote],
    [loinc('34760-9', 'Diabetology Consult note'), referralNote],
  ],
};

const patients = [rosa, nils, anika] as const;

/** Orders of all three categories in all four states, with some for each patient. */
export const putOrders = async ({ chart }: ClinicalRecords): Promise<void> => {
  const by = `Practitioner/${okafor}` as const;
  let number = 0;
  for (const kind of ['imagingOrder', 'labOrder', 'referral'] as const) {
    for (const [state, coding] of codingsByKind[kind].entries()) {
      const patientId = patients[number % patients.length] ?? rosa;
      number += 1;
      const { id } = await chart.stage({
        kind,
        id: `demo-order-${number}`,
        patientId,
        code: { coding: [...coding] },
        occurrencePeriod: { start: dayFromToday(number - 20), end: dayFromToday(number) },
        requesterId: kind === 'referral' ? lindqvist : okafor,
        ...(patientId === rosa && { encounter: { reference: `Encounter/${rosaVisit}` } }),
        ...(kind === 'labOrder' && { reasonConditionIds: [conditionIds[patientId]] }),
      });
      if (state > 0) await chart.commit(id, { by });
      if (state === 2) await chart.completeOrder(id, { by });
      if (state === 3) await chart.enterInError(id, { by });
    }
  }
};
