import type { ClinicalRecords, OrderCommand } from '@clinical-records/core';
import type { LoincCoding } from '@clinical-records/core/adapter';
import { dayFromToday } from './calendar.ts';
import { anika, conditionIds, lindqvist, nils, okafor, rosa, rosaVisit } from './people.ts';

type Code = OrderCommand['code'];

const loinc = (code: string, display: string): LoincCoding => ({
  system: 'http://loinc.org',
  code,
  display,
});

const referralNote = loinc('57133-1', 'Referral note');

/** The ordered codes of each category: for a draft, an active, a completed and an entered-in-error order. */
const codesByKind: Readonly<Record<OrderCommand['kind'], readonly Code[]>> = {
  imagingOrder: [
    { text: 'Chest CT', coding: [loinc('24627-2', 'CT Chest')] },
    { text: 'Chest X-ray, two views', coding: [loinc('36643-5', 'XR Chest 2 Views')] },
    { text: 'Abdominal ultrasound', coding: [loinc('24558-9', 'US Abdomen')] },
    { text: 'Head CT', coding: [loinc('24725-4', 'CT Head')] },
  ],
  labOrder: [
    { text: 'TSH', coding: [loinc('3016-3', 'Thyrotropin [Units/volume] in Serum or Plasma')] },
    { text: 'Hemoglobin A1c', coding: [loinc('4548-4', 'Hemoglobin A1c/Hemoglobin.total in Blood')] },
    { text: 'Lipids', coding: [loinc('57698-3', 'Lipid panel with direct LDL - Serum or Plasma')] },
    { text: 'Blood count', coding: [loinc('58410-2', 'CBC panel - Blood by Automated count')] },
  ],
  referral: [
    { text: 'Ophthalmologist', coding: [loinc('34797-1', 'Ophthalmology Consult note'), referralNote] },
    { text: 'Cardiologist', coding: [loinc('34099-2', 'Cardiology Consult note'), referralNote] },
    { text: 'Dietitian', coding: [loinc('34800-3', 'Nutrition and dietetics Consult note'), referralNote] },
    { text: 'Diabetologist', coding: [loinc('34760-9', 'Diabetology Consult note'), referralNote] },
  ],
};

const patients = [rosa, nils, anika] as const;

/** Orders of all three categories in all four states, with some for each patient. */
export const putOrders = async ({ chart }: Pick<ClinicalRecords, 'chart'>): Promise<void> => {
  const by = `Practitioner/${okafor}` as const;
  let number = 0;
  for (const kind of ['imagingOrder', 'labOrder', 'referral'] as const) {
    for (const [state, code] of codesByKind[kind].entries()) {
      const patientId = patients[number % patients.length] ?? rosa;
      number += 1;
      const { id } = await chart.stage({
        kind,
        id: `demo-order-${number}`,
        patientId,
        code,
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
