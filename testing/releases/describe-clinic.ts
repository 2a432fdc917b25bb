import type { Clinic } from './records.ts';

const patients = ['amy', 'ben', 'amy-again', 'eve'];

const listResources = async ({
  goals,
  serviceRequests,
  immunizations,
  allergies,
  careTeams,
}: Clinic['records']) => {
  const lines: string[] = [];
  const add = (type: string, id: string, status: unknown, version: unknown) =>
    lines.push([type, id, status, version].filter(Boolean).join(' '));
  for (const patient of patients) {
    for await (const { id, lifecycleStatus, meta } of goals.all({ patient }))
      add('Goal', id, lifecycleStatus, meta?.versionId);
    for await (const { id, status, meta } of serviceRequests.all({ patient }))
      add('ServiceRequest', id, status, meta?.versionId);
    for await (const { id, status, meta } of immunizations.all({ patient }))
      add('Immunization', id, status, meta?.versionId);
    for await (const { id, criticality, meta } of allergies.all({ patient }))
      add('AllergyIntolerance', id, criticality, meta?.versionId);
    for await (const { id, participant = [] } of careTeams.all({ patient }))
      add(
        'CareTeam',
        id,
        participant
          .map(
            ({ member, extension }) =>
              member.reference + (extension?.some(({ valueBoolean }) => valueBoolean) ? ' (lead)' : ''),
          )
          .join(),
        null,
      );
  }
  return lines;
};

/** What a clinic shows to those who use it: each resource, command, correction and access. */
export const describeClinic = async ({ records, audit }: Clinic) => {
  const { chart, corrections, directory, immunizations, goals } = records;
  const { commands } = await chart.search([
    ['patient', patients.join()],
    ['_count', '100'],
  ]);
  const corrected = await Promise.all(
    patients.map((resourceId) => corrections.of({ resourceType: 'Patient', resourceId })),
  );
  const { total: consented } = await immunizations.search([['clinic-consent', 'true']]);
  const walk = await goals.read('walk');
  return {
    resources: await listResources(records),
    commands: commands.map(({ id, kind, status }) => `${id} ${kind} ${status}`),
    corrections: corrected.flat().map(({ reason }) => reason),
    people: await Promise.all(patients.map((id) => directory.read('Patient', id))),
    note: await directory.read('Note', 'note'),
    labels: walk.meta?.security ?? [],
    historyOfWalk: (await goals.history('walk')).length,
    consented,
    accesses: (await audit.search({ count: 100 })).events.length,
  };
};
