import { describe, expect, test } from 'vitest';
import { createUnpacker, unreadableText } from '../../src/importer/unpacker.ts';

const patient = (id = '1') => ({ resourceType: 'Patient', id });
const at = (fullUrl: string, resource: object) => ({ fullUrl, resource });
const goal = (reference: string | null) => ({ resourceType: 'Goal', id: 'g', subject: { reference } });

const ours = at('https://here.example/Patient/1', patient());

/** The resources in an item, or the rule that each one breaks. */
const held = (...items: readonly unknown[]) => {
  const unpack = createUnpacker();
  return items
    .flatMap((item) => [...unpack(item, 1)])
    .map(({ type, id, content, issue }) => (issue === null ? content : `${type}/${id} ${issue.rule}`));
};
const bundle = (type: string, ...entry: unknown[]) => ({ resourceType: 'Bundle', id: 'b', type, entry });
const heldIn = (type: string, ...entry: unknown[]) => held(bundle(type, ...entry));

test('a byte order mark before a text is skipped', () => {
  expect(held(`\uFEFF${JSON.stringify(patient())}`)).toEqual([patient()]);
  expect(held('\uFEFF\r\n')).toEqual([]);
});

test('a resource of which only a part was sent is refused, and a tag may have any form', () => {
  const tagged = (tag: unknown) => ({ ...patient(), meta: { tag } });
  const system = 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue';
  const subsetted = { system, code: 'SUBSETTED' };
  const older = { ...subsetted, system: 'http://hl7.org/fhir/v3/ObservationValue' };
  const parts = [[{ system, code: 'MASKED' }, subsetted], subsetted, [{ code: 'SUBSETTED' }], [older]].map(
    tagged,
  );
  expect(held(...parts)).toEqual(parts.map(() => 'Patient/1 subsetted'));
  const others = [null, 7, {}, [null, 'SUBSETTED', [subsetted]], [{ system: 'SUBSETTED' }]].map(tagged);
  const odd = [null, 7, [], 'tag'].map((meta) => ({ ...patient(), meta }));
  expect(held(...others, ...odd)).toEqual([...others, ...odd]);
});

test('undefined values are ignored', () => {
  const nothing = { implicitRules: undefined, modifierExtension: undefined };
  const resource = { ...patient(), ...nothing, link: [nothing] };
  expect(held(resource, { ...bundle('batch', { resource, ...nothing }), ...nothing })).toEqual([
    resource,
    resource,
  ]);
  expect(held({ ...bundle('batch'), entry: undefined })).toEqual([]);
});

test.each<[string, unknown, string]>([
  ['no JSON', '{', '/ invalid-json'],
  ['bytes', new TextEncoder().encode(JSON.stringify(patient())), '/ bytes'],
  ['a text that could not be read', unreadableText('too-long'), '/ too-long'],
  ['no resource', {}, '/ not-a-resource'],
  ['a resource of other rules', { ...patient(), implicitRules: 'urn:x' }, 'Patient/1 implicit-rules'],
  ['a resource that is modified', { ...patient(), modifierExtension: [] }, 'Patient/1 modifier-extension'],
  [
    'a text whose modification is written in escapes',
    String.raw`{ "resourceType": "Patient", "id": "1", "name": [{ "\u006dodifierExtension": [] }] }`,
    'Patient/1 modifier-extension',
  ],
  ['a Bundle of other rules', { ...bundle('batch'), implicitRules: 'urn:x' }, 'Bundle/b implicit-rules'],
  ['an entry that is modified', bundle('batch', { modifierExtension: [] }), 'Bundle/b modifier-extension'],
  ['a Bundle of one entry', { ...bundle('batch'), entry: { resource: patient() } }, 'Bundle/b type'],
  ['a Bundle with null for its entries', { ...bundle('batch'), entry: null }, 'Bundle/b type'],
  ['an entry of text', bundle('batch', JSON.stringify(patient())), '/ not-a-resource'],
  [
    'an entry whose resource is text',
    bundle('batch', { resource: JSON.stringify(patient()) }),
    '/ not-a-resource',
  ],
])('an item that is %s is refused', (_what, item, refused) => {
  expect(held(item)).toEqual([refused]);
});

describe('in a Bundle', () => {
  test('a reference to another entry, by its fullUrl, is to its type and id', () => {
    const team = {
      resourceType: 'CareTeam',
      id: 't',
      subject: { reference: 'urn:uuid:p' },
      participant: [{ member: { reference: 'urn:uuid:gone' } }, { member: { reference: 'urn:uuid:p' } }],
      note: [{ text: 'urn:uuid:p' }],
    };
    const [first, , read] = heldIn(
      'transaction',
      { fullUrl: 'urn:uuid:p', resource: patient('7'), request: { method: 'PUT', url: 'Patient/7' } },
      at('urn:uuid:g', goal('urn:uuid:p')),
      at('urn:uuid:t', team),
    );
    expect(first).toEqual(patient('7'));
    expect(read).toMatchObject({
      subject: { reference: 'Patient/7' },
      participant: [{ member: { reference: 'urn:uuid:gone' } }, { member: { reference: 'Patient/7' } }],
      note: [{ text: 'urn:uuid:p' }],
    });
    expect(team.subject.reference).toBe('urn:uuid:p');
  });

  test('a reference to the server of the entries is to the type and id', () => {
    const base = 'https://there.example/fhir';
    const of = (reference: string) => at(`${base}/Goal/g`, goal(reference));
    expect(
      heldIn('searchset', of(`${base}/Patient/7`), of('Patient/7'), of('https://else.example/Patient/7')),
    ).toMatchObject([
      { subject: { reference: 'Patient/7' } },
      { subject: { reference: 'Patient/7' } },
      { subject: { reference: 'https://else.example/Patient/7' } },
    ]);
  });

  test('a reference by type and id is to the entry at that address of the server, whatever its id', () => {
    const base = 'https://there.example/fhir';
    const of = (reference: string) => at(`${base}/Goal/g`, goal(reference));
    const moved = at(`${base}/Patient/7`, patient('8'));
    expect(heldIn('searchset', of('Patient/7'), of('Patient/8'), of(`${base}/Patient/7`), moved)).toEqual([
      goal('Patient/8'),
      goal('Patient/8'),
      goal('Patient/8'),
      patient('8'),
    ]);
  });

  test('an entry of another server is refused, because the same id there may belong to another patient', () => {
    const of = (server: string, resource: { resourceType: string; id: string }) =>
      at(`https://${server}.example/${resource.resourceType}/${resource.id}`, resource);
    expect(
      heldIn('collection', of('a', patient()), of('b', patient()), of('b', goal('Patient/1')), {
        resource: patient('2'),
      }),
    ).toEqual([patient(), 'Patient/1 different-server', 'Goal/g different-server', patient('2')]);
  });

  test.each([
    'https://there.example/Goal/g/_history/2',
    'https://there.example/Goal?identifier=1',
    'HTTPS://there.example/Goal/g',
    'https://here.example/east/Goal/g',
    'https://here.example/East/Goal/g',
    'https://here.example/east/Goal/g/_history/2',
    'http://here.example/Goal/g',
  ])('an entry with any address on another server is refused: %s', (fullUrl) => {
    const theirs = at(fullUrl, goal('Patient/1'));
    expect(heldIn('collection', ours, theirs)).toEqual([patient(), 'Goal/g different-server']);
    const inner = bundle('collection', { ...theirs, fullUrl: 'https://there.example/Goal/g' });
    const refused = [patient(), 'Goal/g different-server'];
    expect(heldIn('collection', ours, { resource: inner })).toEqual(refused);
    expect(held(bundle('collection', ours), inner)).toEqual(refused);
  });

  test('an entry at the server with an address of unknown form belongs to it', () => {
    const odd = ['g/', 'g|1', 'g_1'].map((end) => at(`https://here.example/Goal/${end}`, goal('Patient/1')));
    expect(heldIn('collection', ours, ...odd)).toEqual([patient(), ...odd.map((one) => one.resource)]);
  });

  test('a version of an entry belongs to the server of the entry, and servers below another are separate', () => {
    const version = at('https://here.example/Patient/1/_history/2', patient());
    const of = (reference: string) => at('https://here.example/Goal/g', goal(reference));
    expect(
      held(
        bundle('collection', version, of('https://here.example/Patient/1/_history/2')),
        bundle('collection', of('https://here.example/Patient/7/_history/1')),
        bundle('collection', of('https://here.example/east/Patient/7')),
      ),
    ).toEqual([
      patient(),
      goal('Patient/1'),
      goal('Patient/7/_history/1'),
      goal('https://here.example/east/Patient/7'),
    ]);
    const inner = at('https://here.example/east/Patient/1', patient());
    expect(heldIn('collection', inner, version)).toEqual([patient(), 'Patient/1 different-server']);
  });

  test('addresses of unknown form belong to no server, but still name their entries', () => {
    const odd = (id: string, resource: object) => at(`https://there.example/fhir/${id}`, resource);
    expect(heldIn('collection', odd('1', patient()), odd('2', goal('https://there.example/fhir/1')))).toEqual(
      [patient(), goal('Patient/1')],
    );
  });

  test('a reference to an entry that is refused, or to one of two entries, is not changed', () => {
    const there = 'https://there.example/Patient/1';
    const theirs = at(there, patient());
    expect(heldIn('collection', ours, theirs, { resource: goal(there) })).toEqual([
      patient(),
      'Patient/1 different-server',
      goal(there),
    ]);
    const twice = ['1', '2'].map((id) => at('urn:uuid:p', patient(id)));
    expect(heldIn('collection', ...twice, { resource: goal('urn:uuid:p') })).toEqual([
      patient('1'),
      patient('2'),
      goal('urn:uuid:p'),
    ]);
  });

  test('a reference by type and id to the address of two entries is to none of them', () => {
    const address = 'https://there.example/Patient/1';
    const twice = ['1', '2'].map((id) => at(address, patient(id)));
    expect(heldIn('collection', ...twice, { resource: goal('Patient/1') })).toEqual([
      patient('1'),
      patient('2'),
      goal(address),
    ]);
  });

  test('a repeated entry is one entry, and references to it are resolved', () => {
    const versions = [{ ...patient(), active: true }, patient(), { ...patient(), active: true }];
    const entries = versions.map((resource) => at('urn:uuid:p', resource));
    const last = { resource: goal('urn:uuid:p') };
    expect(heldIn('collection', ...entries, last)).toEqual([...versions, goal('Patient/1')]);
    const another = at('urn:uuid:p', patient('2'));
    const [, , , , refers] = heldIn('collection', another, ...entries, last);
    expect(refers).toEqual(goal('urn:uuid:p'));
  });

  test('an entry whose resource has no id cannot be referred to, and does not stop the import', () => {
    const odd = { toString: 0, valueOf: 0 };
    const nameless = at('urn:uuid:p', { resourceType: 'Patient' });
    expect(
      held(
        bundle(
          'transaction',
          nameless,
          { resource: goal('urn:uuid:p') },
          { request: { method: 'DELETE', url: odd } },
        ),
        bundle(
          'collection',
          { fullUrl: 'https://a.example/Patient/1' },
          at('https://b.example/Patient/1', { resourceType: odd, id: odd }),
          { resource: goal(null) },
          null,
        ),
      ),
    ).toEqual([
      { resourceType: 'Patient' },
      goal('urn:uuid:p'),
      '/ deleted',
      '/ not-a-resource',
      '/ different-server',
      goal(null),
      '/ not-a-resource',
    ]);
  });

  test('a deleted resource is reported by its type and id', () => {
    const base = 'https://there.example/fhir';
    const deleting = (url: unknown) => ({ request: { method: 'DELETE', url } });
    expect(
      heldIn(
        'transaction',
        at(`${base}/Patient/1`, patient()),
        deleting('Goal/g'),
        deleting(`${base}/Goal/h`),
        deleting('Goal?identifier=1'),
      ),
    ).toEqual([patient(), 'Goal/g deleted', 'Goal/h deleted', '/ deleted']);
  });

  test('a history is not imported, because it contains earlier versions', () => {
    expect(heldIn('history', { resource: patient() })).toEqual(['Bundle/b history-bundle']);
  });

  test('a Bundle of which nothing is imported still determines the server of the load', () => {
    const theirs = at('https://there.example/Goal/g', goal('Patient/1'));
    expect(held(bundle('history', ours), bundle('collection', theirs))).toEqual([
      'Bundle/b history-bundle',
      'Goal/g different-server',
    ]);
  });

  test('the length of its text is divided among its entries, and an object has none', () => {
    const text = JSON.stringify(bundle('collection', ...Array(10).fill({ resource: patient() })));
    const lengths = [...createUnpacker()(text, 1)].map(({ length }) => length);
    expect(lengths).toEqual(Array(10).fill(text.length / 10));
    expect([...createUnpacker()(patient(), 1)].map(({ length }) => length)).toEqual([0]);
  });

  test('an inner Bundle has entries of its own, which are read in the same way', () => {
    const inner = bundle('collection', at('urn:uuid:q', goal('urn:uuid:p')));
    expect(heldIn('collection', at('urn:uuid:p', patient()), at('urn:uuid:b', inner))).toEqual([
      patient(),
      goal('urn:uuid:p'),
    ]);
  });
});
