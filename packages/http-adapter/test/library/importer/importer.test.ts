import { type ImportIssue, type ImportProgress, ndjson } from '@clinical-records/core';
import { expect, test } from 'vitest';
import { ada, participant } from '../../builders.ts';
import { extensionBase } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { onEveryStore, testsAll } from '../../stores.ts';
import { sentenceOf } from '../host/create-loader.ts';
import {
  sourceCareTeam,
  sourceEncounter,
  sourceGoal,
  sourceImmunization,
  sourceOrder,
  sourcePatient,
} from './source-resources.ts';

const patient = sourcePatient('eve', 'Eve Hill');
const encounter = sourceEncounter('visit-eve', 'eve');
const goal = sourceGoal('eve', { lifecycleStatus: 'cancelled' });
const immunization = sourceImmunization('eve', {
  encounter: { reference: 'Encounter/visit-eve' },
  occurrenceDateTime: '2012-02-08T02:43:19+00:00',
  primarySource: true,
});
const request = sourceOrder('eve', { status: 'completed', authoredOn: '2020-01-01' });
const members = [ada, participant('RelatedPerson/niece', null)];
const careTeam = sourceCareTeam('eve', members, { status: 'active' });
const condition = { resourceType: 'Condition', id: 'c' };

onEveryStore('records.importer.load', (clinic) => {
  const load = async (...resources: (string | object)[]) => clinic().records.importer.load(resources);

  test('a resource with a modifierExtension anywhere is reported, and nothing of it is imported', async () => {
    const modifierExtension = [{ url: 'https://clinic.example/negated', valueBoolean: true }];
    await load(patient);
    const inPart = { ...careTeam, participant: [{ ...members[0], modifierExtension }] };
    const report = await load({ ...goal, modifierExtension }, inPart, { ...condition, modifierExtension });
    expect(report).toMatchObject({ imported: {}, unsupported: { Condition: 1 } });
    expect(report.issues.map(({ type, id }) => `${type}/${id}`)).toEqual(['Goal/g', 'CareTeam/t']);
    await expect(async () => clinic().records.goals.read('g')).rejects.toMatchObject({ tag: 'NotFound' });
  });

  test('resources are imported in any order, as objects, as text and in Bundles, and the parts that are not stored are reported', async () => {
    const bundle = { resourceType: 'Bundle', entry: [{ resource: careTeam }, { resource: request }] };
    const report = await load(JSON.stringify(immunization), bundle, goal, condition, '', encounter, patient);
    expect(report.imported).toEqual({
      Patient: 1,
      Encounter: 1,
      Goal: 1,
      Immunization: 1,
      ServiceRequest: 1,
      CareTeam: 1,
    });
    expect(report.unsupported).toEqual({ Condition: 1 });
    expect(report.warnings).toEqual([
      {
        type: 'CareTeam',
        id: 't',
        item: 2,
        rule: 'invalid-member',
        expression: 'CareTeam.participant[1].member',
        outcome: 'imported',
        severity: 'warning',
        message: 'A member must be a reference such as Practitioner/12 or Organization/31.',
      },
      {
        type: 'Goal',
        id: 'g',
        item: 3,
        rule: 'nearest-status',
        expression: 'Goal.lifecycleStatus',
        outcome: 'imported',
        severity: 'warning',
        message:
          'The interface does not have this status. The resource is read with the nearest one, and has this one in the extension source-status.',
      },
    ]);
    const { immunizations, goals, careTeams, serviceRequests } = clinic().records;
    expect(await immunizations.read('i')).toMatchObject({
      primarySource: true,
      occurrenceDateTime: '2012-02-08T02:43:19+00:00',
      encounter: { reference: 'Encounter/visit-eve' },
      extension: [{ url: `${extensionBase}/note-id` }],
    });
    expect(await goals.read('g')).toMatchObject({ lifecycleStatus: 'completed' });
    expect(await serviceRequests.read('s')).toMatchObject({
      status: 'completed',
      authoredOn: '2020-01-01',
    });
    expect((await careTeams.read('eve')).participant).toHaveLength(1);
  });

  test('a second load of the same resources changes nothing', async () => {
    const all = [patient, encounter, goal, immunization, request, careTeam];
    await load(...all);
    const before = await clinic().feed();
    const report = await load(...all);
    expect(report.imported).toEqual({});
    expect(report.unchanged).toEqual({
      Patient: 1,
      Encounter: 1,
      Goal: 1,
      Immunization: 1,
      ServiceRequest: 1,
      CareTeam: 1,
    });
    expect(await clinic().feed()).toEqual(before);
  });

  test('an existing immunization gets no second note, and stays as it is if it names an unknown encounter', async () => {
    const alone = { ...immunization, encounter: undefined };
    await load(patient, alone);
    const before = await clinic().feed();
    expect(await load(alone)).toMatchObject({ unchanged: { Immunization: 1 }, issues: [] });
    const elsewhere = { ...alone, encounter: { reference: 'Encounter/nowhere' } };
    expect((await load(elsewhere)).issues).toMatchObject([{ rule: 'unknown-encounter' }]);
    expect(await clinic().feed()).toEqual(before);
  });

  test('a resource that cannot be imported is reported with type, id and message, and does not stop the others', async () => {
    const report = await load(
      '{',
      [7],
      { ...goal, lifecycleStatus: 'done' },
      { ...immunization, id: 'j' },
      patient,
    );
    expect(report.imported).toEqual({ Patient: 1 });
    expect(report.issues).toEqual([
      {
        type: '',
        id: '',
        item: 1,
        outcome: 'rejected',
        severity: 'error',
        rule: 'invalid-json',
        message: 'Not valid JSON.',
      },
      {
        type: '',
        id: '',
        item: 2,
        rule: 'not-a-resource',
        outcome: 'rejected',
        severity: 'error',
        message: 'Not a FHIR resource with a resourceType and an id.',
      },
      {
        type: 'Goal',
        id: 'g',
        item: 3,
        rule: 'value',
        expression: 'Goal.lifecycleStatus',
        outcome: 'rejected',
        severity: 'error',
        message:
          'Not one of the allowed values. Allowed: proposed, planned, accepted, on-hold, cancelled, rejected, active, completed, entered-in-error.',
      },
      {
        type: 'Immunization',
        id: 'j',
        item: 4,
        rule: 'unknown-encounter',
        expression: 'Immunization.encounter',
        outcome: 'rejected',
        severity: 'error',
        message: 'There is no such encounter.',
      },
    ]);
  });

  test.runIf(testsAll)(
    'a resource with more issues than a function takes arguments does not stop the others',
    async () => {
      const many = Array.from({ length: 150_000 }, () => ({}));
      const category = [...request.category, ...many];
      const members = [{ member: { reference: 'Organization/lab' }, role: many }];
      const report = await load(
        patient,
        { ...request, category },
        sourceCareTeam('eve', members),
        sourcePatient('joe'),
      );
      expect(report.imported).toEqual({ Patient: 2, ServiceRequest: 1, CareTeam: 1 });
      expect(report.warningsByRule).toEqual({ 'left-out': 300_000 });
    },
  );

  test('an issue names its element in the resource', async () => {
    const sentences = async (...resources: (string | object)[]) =>
      (await load(...resources)).issues.map(sentenceOf);
    expect(await sentences(encounter, goal, request, { ...immunization, encounter: undefined })).toEqual([
      'Encounter.subject: There is no such patient.',
      'Goal.subject: There is no such patient.',
      'ServiceRequest.subject: There is no such patient.',
      'Immunization.patient: There is no such patient.',
    ]);
    const subject = { reference: 'Patient/amy' };
    expect(await sentences(patient, encounter, { ...encounter, subject })).toEqual([
      'Encounter.subject: The encounter belongs to another patient.',
    ]);
    expect(await sentences({ ...encounter, subject: { reference: 'Patient/amy.inactive' } })).toEqual([
      'Encounter.subject: The id of a patient must not end in a care team status, such as .active.',
    ]);
    expect(await sentences(sourcePatient('amy.inactive'))).toEqual([
      'Patient.id: The id of a patient must not end in a care team status, such as .active.',
    ]);
  });

  test('a single JSON text is one item', async () => {
    const { importer } = clinic().records;
    const text = JSON.stringify({ resourceType: 'Bundle', entry: [{ resource: patient }] }, null, 2);
    expect(await importer.load(text)).toMatchObject({ imported: { Patient: 1 }, issues: [] });
    const lines = await importer.load(`${JSON.stringify(patient)}\n${JSON.stringify(goal)}`);
    expect(lines.issues).toMatchObject([{ type: '', id: '', item: 1, message: 'Not valid JSON.' }]);
  });

  test('bytes, in one piece or several, are reported with the advice to use ndjson', async () => {
    const { importer } = clinic().records;
    const bytes = new TextEncoder().encode(JSON.stringify(patient));
    const message = 'Bytes were passed. Wrap the stream in ndjson().';
    const problem = {
      type: '',
      id: '',
      item: 1,
      outcome: 'rejected',
      severity: 'error',
      rule: 'bytes',
      message,
    };
    expect((await importer.load(bytes)).issues).toEqual([problem]);
    const pieces = await importer.load([bytes, bytes]);
    expect(pieces.issues).toEqual([problem, { ...problem, item: 2 }]);
    expect((await importer.load(ndjson([bytes]))).imported).toEqual({ Patient: 1 });
  });

  test('a resource that was not taken is an issue, and one that was, but for a part or with something to know, a warning', async () => {
    const inactive = { ...patient, active: false };
    const report = await load(inactive, goal, {
      ...goal,
      id: 'lost',
      subject: { reference: 'Patient/nobody' },
    });
    expect(report.issuesByRule).toEqual({ 'unknown-patient': 1 });
    expect(report.warningsByRule).toEqual({ inactive: 1, 'nearest-status': 1 });
    expect(report.issues.map(({ severity, id }) => [severity, id])).toEqual([['error', 'lost']]);
    expect(report.warnings.map(({ severity, rule }) => [severity, rule])).toEqual([
      ['warning', 'inactive'],
      ['warning', 'nearest-status'],
    ]);
  });

  test('a record that was changed here, and is entered in error at its source, stays as the clinic has it, and is an issue', async () => {
    await load(patient, goal);
    await clinic().record({ kind: 'updateGoal', goalId: goal.id, progress: 'Walks' });
    const report = await load({ ...goal, lifecycleStatus: 'entered-in-error' });
    expect(report).toMatchObject({
      unchanged: { Goal: 1 },
      issuesByRule: { 'entered-in-error-at-source': 1 },
    });
  });

  test('later changes of the clinic are not undone', async () => {
    await load(patient, encounter, { ...immunization, primarySource: false }, careTeam);
    const { immunizations, careTeams } = clinic().records;
    await immunizations.asJson.update('i', { ...immunization, status: 'entered-in-error' });
    await careTeams.update('eve', { id: 'eve' });
    await load(patient, encounter, immunization, careTeam);
    expect((await immunizations.read('i')).status).toBe('entered-in-error');
    expect(await careTeams.read('eve')).not.toHaveProperty('participant');
  });

  test('a load reports its progress, and fails if its source does, keeping what was imported', async () => {
    const seen: ImportProgress[] = [];
    async function* broken() {
      yield patient;
      yield encounter;
      throw new Error('the disk is gone');
    }
    const failing = clinic().records.importer.load(broken(), {
      onProgress: (progress) => seen.push(progress),
    });
    await expect(async () => failing).rejects.toMatchObject({
      tag: 'StoreFailure',
      issues: [{ rule: 'source-failed' }],
    });
    expect(seen).toEqual([{ read: 2, imported: 2, waiting: 0 }]);
    expect(await clinic().records.directory.read('Encounter', 'visit-eve')).not.toBeNull();
  });

  test('onProgress continues while waiting resources are imported: read stays, imported grows', async () => {
    const seen: ImportProgress[] = [];
    const goals = Array.from({ length: 1_200 }, (_, at) => ({ ...goal, id: `g${at}` }));
    const onProgress = (progress: ImportProgress) => seen.push(progress);
    await clinic().records.importer.load([...goals, patient], { onProgress });
    expect(seen).toEqual([
      { read: 512, imported: 0, waiting: 512 },
      { read: 1_024, imported: 0, waiting: 1_024 },
      { read: 1_201, imported: 177, waiting: 1_024 },
      { read: 1_201, imported: 689, waiting: 512 },
      { read: 1_201, imported: 1_201, waiting: 0 },
    ]);
  });

  test('onIssue gets each issue as it occurs; the report counts all, and contains the first thousand', async () => {
    const found: ImportIssue[] = [];
    function* source() {
      for (let at = 0; at < 1_500; at += 1) {
        if (at > 0) expect(found).toHaveLength(at);
        yield at === 0 ? '{' : '[]';
      }
    }
    const onIssue = (problem: ImportIssue) => found.push(problem);
    const report = await clinic().records.importer.load(source(), { onIssue });
    expect(found).toHaveLength(1_500);
    expect(report.issues).toEqual(found.slice(0, 1_000));
    expect(report.issuesByRule).toEqual({ 'invalid-json': 1, 'not-a-resource': 1_499 });
  });

  test('an exception of onIssue ends the load as its own failure, and the source is closed; imported resources stay', async () => {
    let isClosed = false;
    function* source() {
      try {
        for (;;) yield '{';
      } finally {
        isClosed = true;
      }
    }
    const cause = new Error('the disk is full');
    const onIssue = () => {
      throw cause;
    };
    await expect(async () => clinic().records.importer.load(source(), { onIssue })).rejects.toMatchObject({
      tag: 'StoreFailure',
      issues: [{ rule: 'on-issue-failed' }],
      cause,
    });
    expect(isClosed).toBe(true);
  });

  test('a load fails if its source fails before the first item', async () => {
    const cause = new Error('no such file');
    const missing: AsyncIterable<unknown> = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(cause) }),
    };
    expect(await outcomeOf(clinic().records.importer.load(missing))).toMatchObject({
      left: { _tag: 'StoreFailure', issues: [{ rule: 'source-failed' }], cause },
    });
  });

  test('an exception of onProgress is reported as its own failure, and the source is closed; imported resources stay', async () => {
    let isClosed = false;
    async function* source() {
      try {
        yield patient;
        for (let at = 0; at < 1_000; at += 1) yield { ...goal, id: `g${at}` };
        yield encounter;
      } finally {
        isClosed = true;
      }
    }
    const cause = new Error('the socket is closed');
    const onProgress = () => {
      throw cause;
    };
    await expect(async () => clinic().records.importer.load(source(), { onProgress })).rejects.toMatchObject({
      tag: 'StoreFailure',
      issues: [{ rule: 'on-progress-failed' }],
      cause,
    });
    expect(isClosed).toBe(true);
    expect(await clinic().records.directory.read('Patient', 'eve')).not.toBeNull();
    expect(await clinic().records.directory.read('Encounter', 'visit-eve')).toBeNull();
  });
});
