import { setImmediate } from 'node:timers/promises';
import { readJson } from '@clinical-records/core/adapter';
import { createMemoryStore } from '@clinical-records/store-memory';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalTexts } from '../../../../core/test/fhir/decimal-texts.ts';
import { enteredInError, goal, immunize, statement } from '../../builders.ts';
import { type Clinic, createHandler, createRecords, createSender, openClinic } from '../../clinic.ts';
import { createLoader } from '../../library/host/create-loader.ts';
import { sourceGoal, sourceImmunization, sourceOrder } from '../../library/importer/source-resources.ts';
import { expectError } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

const why = { by: 'Practitioner/cyd', reason: 'Wrong chart.' } as const;

/** The text of a resource, in which each place of a decimal has one of them. */
const write = (resource: object, decimals: readonly string[]): string => {
  let count = 0;
  return JSON.stringify(resource).replaceAll('"decimal"', () => {
    count += 1;
    return decimals[(count - 1) % decimals.length] ?? '0';
  });
};

/** The numbers in a text, as they are written: all that are the value of a property, in their order. */
const numbersIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(/(?<!\\)":\s*(-?\d[^,}\s]*)/g), ([, number = '']) => number);

const amount = { value: 'decimal', unit: 'mg' };

/** One resource of each type that has decimals, with a decimal wherever it can have one. */
const dose = { doseQuantity: amount };
const target = [{ measure: { text: 'Weight' }, detailRange: { low: amount, high: amount } }];
const order = {
  quantityRatio: { numerator: amount, denominator: amount },
  occurrenceTiming: {
    repeat: {
      boundsRange: { low: amount, high: amount },
      ...{ duration: 'decimal', durationMax: 'decimal', durationUnit: 'h' },
      ...{ period: 'decimal', periodMax: 'decimal', periodUnit: 'd' },
    },
  },
};

const sources = (decimals: readonly string[], id = 'x') =>
  [
    sourceImmunization('amy', { id, ...dose }),
    sourceGoal('amy', { id, target }),
    sourceOrder('amy', { id, ...order }),
  ].map((resource) => write(resource, decimals));

/** FHIR allows no negative duration. */
const amounts = decimalTexts.map((text) => text.replace('-', ''));

const paths = ['/Immunization/x', '/Goal/x', '/ServiceRequest/x'];

/** The lines of an export over HTTP. */
const exportOverHttp = async ({ records }: Clinic): Promise<string> => {
  const texts: string[] = [];
  const files = {
    write: async (_: string, __: string, text: string) => {
      texts.push(text);
    },
    read: async () => null,
    remove: async () => {},
  };
  const send = createSender(
    createHandler(records, {
      baseUrl: 'https://clinic.example/fhir',
      bulkExport: { files },
      authenticate: () => ({ subject: 'Device/warehouse', scopes: ['system/*.read'] }),
    }),
  );
  const { headers } = await send('GET', '/$export', { headers: { prefer: 'respond-async' } });
  const location = (headers['content-location'] ?? '').replace('https://clinic.example/fhir', '');
  while ((await send('GET', location)).status === 202) await setImmediate();
  return texts.join('');
};

const collect = async (texts: AsyncIterable<string>): Promise<string> => {
  const collected: string[] = [];
  for await (const text of texts) collected.push(text);
  return collected.join('\n');
};

onEveryStore('Decisions: Decimals', (clinic) => {
  const load = createLoader(clinic);
  const get = async (path: string) => (await clinic().get(path)).text;

  describe('A decimal is read as it was sent: `0.50` is not read as `0.5`, and 19 digits stay 19', () => {
    test('from a POST, in its response, and in each read of it', async () => {
      const sent = { headers: { prefer: 'return=representation' } };
      const value = '0.1234567890123456780';
      const { text, json } = await clinic().post('/Immunization', write(statement(dose), [value]), sent);
      const path = `/Immunization/${json.id}`;
      const put = await clinic().put(path, enteredInError(json.id), sent);
      const texts = [
        ...[text, put.text],
        ...(await Promise.all([path, `${path}/_history/1`, `${path}/_history/2`].map(get))),
        await get('/Immunization?patient=amy'),
        await get('/Immunization?patient=amy&_elements=doseQuantity'),
      ];
      for (const each of texts) {
        expect(each).toContain(`"doseQuantity":{"value":${value},"unit":"mg"}`);
      }
      expect(numbersIn(await get(`${path}/_history`)).filter((number) => number === value)).toHaveLength(2);
    });

    test('with any digits, from an import, in each response, version, export and copy, and under another patient', async () => {
      const target = createMemoryStore();
      const { records } = clinic();
      let id = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(amounts, { minLength: 10, maxLength: 10 }), async (decimals) => {
          id += 1;
          const texts = sources(decimals, `x${id}`);
          const sent = texts.map(numbersIn);
          expect(sent.map(({ length }) => length)).toEqual([1, 2, 8]);
          expect(
            await load(
              `{"resourceType":"Bundle","type":"collection","entry":[${texts.map((text) => `{"resource":${text}}`)}]}`,
            ),
          ).toEqual({
            imported: { Immunization: 1, Goal: 1, ServiceRequest: 1 },
            problems: [],
          });
          const reads = await Promise.all(paths.map((path) => get(`${path}${id}`)));
          expect(reads.map(numbersIn)).toEqual(sent);
        }),
        { numRuns: 15 },
      );
      const ofAll = async (read: typeof records): Promise<readonly string[]> => {
        const texts = [read.immunizations, read.goals, read.serviceRequests].map(({ asJson }) =>
          collect(asJson.all()),
        );
        return (await Promise.all(texts)).flatMap(numbersIn);
      };
      const sent = (await ofAll(records)).toSorted();
      expect(sent).toHaveLength(11 * id);
      const everything = await get('/Patient/amy/$everything?_count=1000');
      expect(
        // The total can be a number that was sent, too.
        numbersIn(everything.replace(/"total":\s*\d+/, ''))
          .filter((number) => sent.includes(number))
          .toSorted(),
      ).toEqual(sent);
      expect(numbersIn(await exportOverHttp(clinic())).toSorted()).toEqual(sent);
      await records.copyTo(target);
      expect((await ofAll(createRecords(target))).toSorted()).toEqual(sent);
      await records.directory.put('Patient', { id: 'amy2', lastName: 'Shaw' });
      const move = { resourceType: 'ServiceRequest', resourceId: 'x1', toPatientId: 'ben' } as const;
      await records.corrections.moveToPatient({ ...move, ...why });
      await records.corrections.mergePatients({ patientId: 'amy', toPatientId: 'amy2', ...why });
      expect((await ofAll(records)).toSorted()).toEqual(sent);
    });

    test('and nothing of it counts as lost, also when what was read is imported again', async () => {
      const lostIn = async ({ records }: Clinic, texts: readonly string[]) => {
        const { imported, lostElements } = await records.importer.load(texts);
        expect(imported).toEqual({ Immunization: 1, Goal: 1, ServiceRequest: 1 });
        return Object.keys(lostElements).filter((element) => /dose|target|quantity|occurrence/.test(element));
      };
      expect(await lostIn(clinic(), sources(['0.50', '1.0', '1e3']))).toEqual([]);
      const texts = await Promise.all(paths.map(get));
      const other = await openClinic(createMemoryStore());
      expect(await lostIn(other, texts)).toEqual([]);
      const again = await Promise.all(paths.map(async (path) => (await other.get(path)).text));
      expect(again.map(numbersIn)).toEqual(texts.map(numbersIn));
    });
  });

  describe('A caller in TypeScript reads numbers, and gives numbers, which are read as JavaScript writes them', () => {
    test('of any sender', async () => {
      await load(...sources(['0.50']));
      const { records } = clinic();
      const read = await records.immunizations.read('x');
      expect(read.doseQuantity).toEqual({ value: 0.5, unit: 'mg' });
      const [version] = await records.immunizations.history('x');
      expect(version?.resource).toEqual(read);
      const { entry } = await records.immunizations.search({ patient: 'amy' });
      expect(entry?.[0]?.resource).toEqual(read);
      const created = await records.immunizations.create(
        readJson(write(statement(dose), ['0.50'])).value as ReturnType<typeof statement>,
      );
      expect(created.doseQuantity).toEqual({ value: 0.5, unit: 'mg' });
      expect(await get(`/Immunization/${created.id}`)).toContain('"value":0.50');
      const { chart } = records;
      const command = await chart.read('Immunization/x/0');
      expect(command.command).toMatchObject({ doseQuantity: { value: 0.5, unit: 'mg' } });
      expect(await chart.commandsOf({ resourceType: 'Immunization', resourceId: 'x' })).toEqual([command]);
      const staged = await chart.stage(
        readJson(write(immunize({ id: 'y', ...(dose as object) }), ['0.50'])).value as ReturnType<
          typeof immunize
        >,
      );
      expect(staged.command).toMatchObject({ doseQuantity: { value: 0.5 } });
      expect((await chart.search({ patient: 'amy' })).commands).toEqual([staged]);
      await clinic().commit(staged.id);
      expect(await get('/Immunization/y')).toContain('"value":0.50');
      await clinic().record(immunize({ doseQuantity: { value: 0.5 } }));
      expect(await get('/Immunization/shot')).toContain('"doseQuantity":{"value":0.5}');
      await clinic().record(goal({ target: { measure: { text: 'x' }, detailQuantity: { value: 1e21 } } }));
      expect(await get('/Goal/walk')).toContain('"value":1e+21');
    });
  });

  describe('A number that JavaScript does not have, such as `1e400`, is a 400, and an import leaves it out and reports it', () => {
    test.each(['1e400', '-1e400', '1e-400'])('%s', async (value) => {
      expectError(
        await clinic().post('/Immunization', write(statement(dose), [value])),
        400,
        'Immunization.doseQuantity.value',
      );
      const { imported, problems } = await load(write(sourceImmunization('amy', dose), [value]));
      expect(imported).toEqual({ Immunization: 1 });
      expect(problems).toEqual([
        expect.stringContaining(
          'i: Immunization.doseQuantity.value: The element cannot be stored, and was not imported.',
        ),
      ]);
      expect((await clinic().get('/Immunization/i')).json.doseQuantity).toEqual({ unit: 'mg' });
    });
    test.each(['01', '.5', '1.', 'NaN', '+1'])('and %s is not JSON', async (value) => {
      const { status, json } = await clinic().post('/Immunization', write(statement(dose), [value]));
      expect([status, json.issue[0].diagnostics]).toEqual([400, 'The body is not valid JSON in UTF-8.']);
    });
  });

  test('A whole number with a decimal point or an exponent is a 400, as in FHIR; an import reads `1.0` as `1`', async () => {
    const protocolApplied = [{ doseNumberPositiveInt: 'decimal' }];
    for (const number of ['1.0', '1e0', '1.00000000000000000001']) {
      const body = write(statement({ protocolApplied }), [number]);
      const place = 'Immunization.protocolApplied[0].doseNumberPositiveInt';
      expectError(await clinic().post('/Immunization', body), 400, place);
    }
    const sent = write(sourceImmunization('amy', { protocolApplied }), ['1.0']);
    const { imported, issues, lostElements } = await clinic().records.importer.load([sent]);
    expect([imported, issues, lostElements]).toEqual([{ Immunization: 1 }, [], {}]);
    expect(await get('/Immunization/i')).toContain('"protocolApplied":[{"doseNumberPositiveInt":1}]');
    const wrong = write(sourceImmunization('amy', { id: 'j', protocolApplied }), ['1.5']);
    expect((await load(wrong)).problems).toHaveLength(1);
  });

  test('An object is not a decimal, whatever it has', async () => {
    const body = statement({ doseQuantity: { value: { decimal: '0.50' } } });
    expectError(await clinic().post('/Immunization', body), 400, 'Immunization.doseQuantity.value');
  });
});
