import { expect, test } from 'vitest';
import { ada, bob, leadExtension, noteIdExtension, participant, statement, team } from '../../builders.ts';
import { cardiologist, extensionBase, nurse } from '../../clinic.ts';
import { expectError } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

/** Part of every invalid value, so that the test finds it if a response contains one. */
const secret = 'XYZZY';

onEveryStore('Decisions: one issue for each fault, all faults at once', (clinic) => {
  const refused = async (
    [method, path, body]: readonly [string, string, unknown],
    status: number,
    ...expressions: string[]
  ) => {
    const answer = await clinic().send(method, path, { body });
    expectError(answer, status, ...expressions);
    expect(answer.text).not.toContain(secret);
  };

  test("`details.text` is the interface's text for the status, to the letter. `diagnostics` and `expression` say what is wrong", async () => {
    const body = {
      id: 'amy',
      participant: [participant('Practitioner/ada', nurse), { member: {}, role: [{ coding: [] }] }],
    };
    const { json } = await clinic().put('/CareTeam/amy', body);
    const common = (code: string) => ({
      severity: 'error',
      code: 'invalid',
      details: { coding: [{ system: 'urn:clinical-records:issue-rule', code }], text: 'Bad request' },
    });
    expect(json.issue).toEqual([
      {
        ...common('empty'),
        diagnostics: 'The element is empty.',
        expression: ['CareTeam.participant[1].role[0].coding'],
      },
      {
        ...common('required'),
        diagnostics: 'A required element is missing.',
        expression: ['CareTeam.participant[1].member.reference'],
      },
    ]);
  });

  test('one issue for each fault, all faults at once: a CareTeam with five malformed elements', async () => {
    const body = {
      resourceType: secret,
      id: 'amy',
      status: secret,
      participant: [
        { ...participant(secret, cardiologist), extension: [{ url: secret, valueBoolean: secret }] },
        bob,
      ],
    };
    await refused(
      ['PUT', '/CareTeam/amy', body],
      400,
      'CareTeam.resourceType',
      'CareTeam.status',
      'CareTeam.participant[0].extension[0].url',
      'CareTeam.participant[0].extension[0].valueBoolean',
      'CareTeam.participant[0].member.reference',
    );
  });

  test('a CareTeam with five issues against the rules and the stored state', async () => {
    const body = {
      id: 'amy',
      subject: { reference: `Patient/${secret}` },
      participant: [
        participant(`Practitioner/${secret}`, cardiologist),
        participant('Practitioner/bob', { system: secret, code: secret, display: secret }),
        participant('Organization/lab', null, leadExtension(true)),
        participant(`Organization/${secret}`, null),
      ],
    };
    await refused(
      ['PUT', '/CareTeam/amy', body],
      422,
      'CareTeam.subject',
      'CareTeam.participant[0].member',
      'CareTeam.participant[1].role',
      'CareTeam.participant[3].member',
      'CareTeam.participant[2].extension',
    );
  });

  test('one issue for each fault, all faults at once: an Immunization with five malformed elements', async () => {
    const body = statement({
      status: secret,
      vaccineCode: { coding: [{ system: secret, code: 7 }] },
      patient: { reference: secret },
      occurrenceDateTime: secret,
    });
    await refused(
      ['POST', '/Immunization', body],
      400,
      'Immunization.status',
      'Immunization.vaccineCode.coding[0].system',
      'Immunization.vaccineCode.coding[0].code',
      'Immunization.patient.reference',
      'Immunization.occurrenceDateTime',
    );
  });

  test('one issue for each fault: if a reference is missing, its type is not wrong; if a type is wrong, the element is not empty, too', async () => {
    const participant = {
      role: [{ coding: '' }],
      member: { reference: secret, type: 'Practitioner' },
    };
    const subject = { reference: secret, type: 'Patient' };
    await refused(
      ['PUT', '/CareTeam/amy', { id: [], subject, participant: [participant] }],
      400,
      'CareTeam.id',
      'CareTeam.subject.reference',
      'CareTeam.participant[0].role[0].coding',
      'CareTeam.participant[0].member.reference',
    );
    const patient = { reference: secret, type: 'Patient' };
    await refused(['POST', '/Immunization', statement({ patient })], 400, 'Immunization.patient.reference');
  });

  const toNothing = {
    extension: noteIdExtension(secret),
    patient: { reference: `Patient/${secret}` },
    encounter: { reference: `Encounter/${secret}` },
  };

  test('an Immunization that refers to three things that do not exist', async () => {
    await refused(
      ['POST', '/Immunization', statement(toNothing)],
      422,
      'Immunization.patient',
      'Immunization.extension[0]',
      'Immunization.encounter',
    );
  });

  test('an Immunization that was not done, for a reason, and refers to three things that do not exist', async () => {
    const body = statement({ status: 'not-done', statusReason: { text: secret }, ...toNothing });
    await refused(
      ['POST', '/Immunization', body],
      422,
      'Immunization.status',
      'Immunization.statusReason',
      'Immunization.patient',
      'Immunization.extension[0]',
      'Immunization.encounter',
    );
  });

  test('two extensions where one is allowed, one of them malformed and modified', async () => {
    const url = `${extensionBase}/note-id`;
    const extension = [
      { url, valueId: 'note-amy' },
      { url: secret, modifierExtension: [] },
    ];
    await refused(
      ['POST', '/Immunization', statement({ extension })],
      400,
      'Immunization.extension[1].url',
      'Immunization.extension[1].valueId',
      'Immunization.extension[1].modifierExtension',
      'Immunization.extension',
    );
    const one = { ...ada, extension: [...leadExtension(true), { url: 7 }] };
    await refused(
      ['PUT', '/CareTeam/amy', team(one)],
      400,
      'CareTeam.participant[0].extension[1].url',
      'CareTeam.participant[0].extension[1].valueBoolean',
      'CareTeam.participant[0].extension',
    );
  });

  test('a PUT of an Immunization without any required element', async () => {
    await refused(
      ['PUT', '/Immunization/x', {}],
      400,
      ...['id', 'status', 'vaccineCode', 'patient', 'occurrenceDateTime', 'primarySource'].map(
        (element) => `Immunization.${element}`,
      ),
    );
  });

  test('several names that FHIR does not define', async () => {
    const body = { id: 'amy', partisipant: [], subjekt: secret, [`${secret} ${secret}`]: 1 };
    const { status, json, text } = await clinic().put('/CareTeam/amy', body);
    expect([status, text.includes(`${secret} `)]).toEqual([400, false]);
    expect(json.issue.map(({ expression }: { expression: string[] }) => expression)).toEqual([
      ['CareTeam.partisipant'],
      ['CareTeam.subjekt'],
      ['CareTeam'],
    ]);
  });

  test('several search parameters', async () => {
    await refused(
      [
        'GET',
        `/ServiceRequest?authored=${secret}&status=${secret}&colour=${secret}&_count=${secret}`,
        undefined,
      ],
      400,
      'http.authored',
      'http.status',
      'http.colour',
      'http._count',
    );
  });
});
