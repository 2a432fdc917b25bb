import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { endAll, newFolder, runToEnd, startServer } from '../running-server.ts';

afterAll(endAll);

/** The search for a patient's care teams, and what signs them. URLs of the server are shown without its address. */
const look = async (args: readonly string[], folder: string) => {
  const server = await startServer(args, folder);
  const read = async (path: string) => (await server.get(path)).body as Record<string, never>;
  const [teams, provenance] = await Promise.all([
    read('/CareTeam?_count=100&patient=7'),
    read('/Provenance?target=CareTeam/7'),
  ]);
  await server.stop();
  return { teams, provenance };
};

const organization = { resourceType: 'Organization', id: '31', name: 'Green Clinic' };
const patient = { resourceType: 'Patient', id: '7', name: [{ family: 'Shaw', given: ['Amy'] }] };

const importInto = async (folder: string) => {
  await writeFile(
    join(folder, 'chart.ndjson'),
    [organization, patient].map((one) => JSON.stringify(one)).join('\n'),
  );
  return ['--data', 'clinic.db', '--empty', '--import', 'chart.ndjson'];
};

describe('the data of another clinic than the demo', () => {
  test('is served to the letter, and nobody signs it', async () => {
    const folder = await newFolder();
    const { teams, provenance } = await look(await importInto(folder), folder);
    expect(teams).toMatchObject({
      total: 1,
      link: [{ url: 'CareTeam?patient=7&_count=100&_offset=0' }, {}, {}],
    });
    expect(JSON.stringify(provenance)).not.toContain('Organization/');
  });
  test('is signed by the clinic that --organization names', async () => {
    const folder = await newFolder();
    const { provenance } = await look([...(await importInto(folder)), '--organization', '31'], folder);
    const who = { reference: 'Organization/31', type: 'Organization', display: 'Green Clinic' };
    expect(provenance).toMatchObject({ entry: [{ resource: { agent: [{}, { who }] } }] });
  });
  test('with --us-core, needs --organization', async () => {
    expect(await runToEnd('--us-core', '--data', ':memory:')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--us-core needs --organization'),
    });
  });
  test('with --us-core, a team without participants is not found', async () => {
    const folder = await newFolder();
    const { teams } = await look(
      [...(await importInto(folder)), '--us-core', '--organization', '31'],
      folder,
    );
    expect(teams).toMatchObject({
      total: 0,
      link: [{ url: '/CareTeam?patient=7&_count=100&_offset=0' }, {}, {}],
    });
  });
  test('an organization that is not in the data is refused', async () => {
    const run = await runToEnd('--data', ':memory:', '--organization', '32');
    expect(run).toMatchObject({
      code: 2,
      err: expect.stringContaining('there is no Organization/32 in the data'),
    });
  });
});
