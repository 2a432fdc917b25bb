import { withFurtherCodings } from '../fhir/coded-concept.ts';
import { deriveImmunization } from './derive.ts';
import { fhirReasonSystem, type ImmunizationRecord } from './model.ts';

/** The immunization of a record as other systems send it: the codes of its reason are in FHIR's own code system, too. */
export const createImmunizationToSource = (extensionBase: string) => {
  const derive = deriveImmunization(extensionBase);
  return (record: ImmunizationRecord): object | null => {
    const immunization = derive(record);
    if (immunization === null) return null;
    const { statusReason } = immunization;
    const vaccineCode = withFurtherCodings(immunization.vaccineCode);
    if (statusReason === undefined) return { ...immunization, vaccineCode };
    const reason = withFurtherCodings(statusReason);
    const inFhirSystem = statusReason.coding.map((coding) => ({ ...coding, system: fhirReasonSystem }));
    return {
      ...immunization,
      vaccineCode,
      statusReason: { ...reason, coding: [...reason.coding, ...inFhirSystem] },
    };
  };
};
