import {
  type ClinicalRecords,
  ClinicalRecordsError,
  type ClinicalRecordsOptions,
  createClinicalRecords,
  type HostRule,
  type Immunization,
  type ImmunizationCreateBody,
  type Issue,
} from '@clinical-records/core';

const day = 24 * 60 * 60 * 1000;

const daysBetween = (a: Immunization, b: Immunization): number =>
  Math.abs(Date.parse(a.occurrenceDateTime) - Date.parse(b.occurrenceDateTime)) / day;

export const openRecords = (store: ClinicalRecordsOptions['store']): ClinicalRecords =>
  createClinicalRecords({
    store,
    extensionBase: 'https://acme.example/fhir',
    careTeamRoles: [],
    // #region interval
    rules: {
      Immunization: async ({ after, chart, cause }) => {
        if (cause === 'import' || after.status !== 'completed') return [];
        const doses = await chart.all('Immunization');
        const isTooEarly = doses.some(
          (dose) => dose.id !== after.id && dose.status === 'completed' && daysBetween(dose, after) < 28,
        );
        if (!isTooEarly) return [];
        return [
          {
            rule: 'acme-interval',
            message: 'The last dose was less than 28 days ago.',
            expression: 'Immunization.occurrenceDateTime',
          },
        ];
      },
    },
    // #endregion
  });

/** Shows the doubts about an immunization before it is saved. */
export const check = async (
  records: ClinicalRecords,
  body: ImmunizationCreateBody,
  show: (issues: readonly Issue<string>[]) => void,
): Promise<void> => {
  // #region dry-run
  try {
    await records.dryRun((tx) => tx.immunizations.create(body, { onWarnings: show }));
  } catch (thrown) {
    if (!(thrown instanceof ClinicalRecordsError && thrown.tag === 'RuleViolation')) throw thrown;
    show(thrown.issues);
  }
  // #endregion
};

/** Whether a registry knows a patient, whether a patient has consented, and whether a lot was recalled. */
export type Acme = {
  readonly isRegistered: (patientId: string) => Promise<boolean>;
  readonly hasConsented: (patientId: string) => Promise<boolean>;
  readonly isRecalled: (lotNumber: string) => Promise<boolean>;
};

export const createRules = ({ isRegistered, hasConsented, isRecalled }: Acme) => {
  const registered: HostRule = {
    check: async ({ patientId }) =>
      (await isRegistered(patientId))
        ? []
        : [
            {
              rule: 'acme-registered',
              message: 'The registry does not know the patient.',
              severity: 'warning',
            },
          ],
    whenItFails: 'warn',
  };

  const consent: HostRule<Immunization> = async ({ before, patientId }) =>
    before !== null || (await hasConsented(patientId))
      ? []
      : [{ rule: 'acme-consent', message: 'The patient has not consented.' }];

  // #region lot
  const recalled: HostRule<Immunization> = async ({ after: { lotNumber } }) =>
    lotNumber !== undefined && (await isRecalled(lotNumber))
      ? [{ rule: 'acme-recalled', message: 'The lot was recalled.', expression: 'Immunization.lotNumber' }]
      : [];
  // #endregion

  const rules = { Immunization: [consent, recalled, registered] };
  return rules satisfies ClinicalRecordsOptions['rules'];
};
