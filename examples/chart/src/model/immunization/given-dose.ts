import type { ChartCommandInput } from '@clinical-records/core';
import { formatDay } from '../dates/dates.ts';
import { conceptName } from '../names.ts';
import type { Immunization } from '../resources.ts';
import { type Statement, vaccineConcept } from './immunization-bodies.ts';

/** The fields of a form for a dose that was given in this clinic. The `unit` is a code of UCUM. */
export type GivenDose = Statement & {
  readonly lotNumber: string;
  /** A FHIR date. */
  readonly expiry: string;
  readonly site: string;
  readonly route: string;
  readonly amount: string;
  readonly unit: string;
};

/** Where in the body vaccines are given, by the codes of HL7's ActSite. */
export const sites: Readonly<Record<string, string>> = {
  LA: 'Left arm',
  RA: 'Right arm',
  LT: 'Left thigh',
  RT: 'Right thigh',
};

/** How vaccines enter the body, by the codes of HL7's RouteOfAdministration. */
export const routes: Readonly<Record<string, string>> = {
  IM: 'Intramuscular',
  SQ: 'Subcutaneous',
  IDINJ: 'Intradermal',
  PO: 'Oral',
  NASINHL: 'Nasal',
};

/** The units of doses, by their codes of UCUM. */
export const doseUnits: Readonly<Record<string, string>> = {
  mL: 'mL',
  ug: 'µg',
  '[iU]': 'IU',
  '[drp]': 'drops',
};

/**
 * The number of a dose as people write it, `0.5` or `0,5`: null for anything else, and undefined if nothing is written. Three digits after a
 * comma are refused, because they could be thousands.
 */
export const readAmount = (text: string): number | null | undefined => {
  const written = text.trim();
  if (written === '') return undefined;
  const amount = /^\d{1,6}(\.\d{1,6}|,\d{1,2})?$/.test(written) ? Number(written.replace(',', '.')) : 0;
  return amount > 0 ? amount : null;
};

const conceptOf = (codeSystem: string, names: Readonly<Record<string, string>>, code: string) => ({
  coding: [{ system: `http://terminology.hl7.org/CodeSystem/${codeSystem}`, code }],
  text: names[code] ?? code,
});

/** The function of the practitioner who gave the dose. Source: FHIR R4, ValueSet immunization-function. */
const administeringProvider = {
  coding: [
    {
      system: 'http://terminology.hl7.org/CodeSystem/v2-0443',
      code: 'AP',
      display: 'Administering Provider',
    },
  ],
};

/** The command that records a dose given in this clinic by a practitioner, if it is known who that is. */
export const immunizeCommand = (
  { patientId, practitionerId }: { readonly patientId: string; readonly practitionerId: string | null },
  { vaccine, date, note, lotNumber, expiry, site, route, amount, unit }: GivenDose,
): ChartCommandInput => {
  const value = readAmount(amount);
  return {
    kind: 'immunize',
    patientId,
    vaccineCode: vaccineConcept(vaccine),
    occurrenceDateTime: date,
    ...(lotNumber.trim() !== '' && { lotNumber: lotNumber.trim() }),
    ...(expiry !== '' && { expirationDate: expiry }),
    ...(site !== '' && { site: conceptOf('v3-ActSite', sites, site) }),
    ...(route !== '' && { route: conceptOf('v3-RouteOfAdministration', routes, route) }),
    ...(value != null && {
      doseQuantity: { value, unit: doseUnits[unit], system: 'http://unitsofmeasure.org', code: unit },
    }),
    ...(practitionerId !== null && {
      performer: [
        { function: administeringProvider, actor: { reference: `Practitioner/${practitionerId}` } },
      ],
    }),
    ...(note.trim() !== '' && { note: [{ text: note }] }),
  };
};

/** The amount of a dose with its unit, such as `0.5 mL`; empty if nobody recorded it. */
export const amountOf = ({ doseQuantity: { value, unit, code } = {} }: Immunization): string =>
  value === undefined ? '' : [value, unit ?? code ?? ''].join(' ').trim();

/** A dose in words: from where it is known, and its lot, site, route and amount as far as they are recorded. */
export const sourceOf = (dose: Immunization): string => {
  const { primarySource, lotNumber, expirationDate, site, route } = dose;
  const lot = lotNumber === undefined ? '' : `lot ${lotNumber}`;
  const expiry = expirationDate === undefined ? '' : `expires ${formatDay(expirationDate)}`;
  const parts = [lot, expiry, conceptName(site), conceptName(route), amountOf(dose)];
  return [primarySource ? 'given here' : 'reported', ...parts.filter((part) => part !== '')].join(', ');
};
