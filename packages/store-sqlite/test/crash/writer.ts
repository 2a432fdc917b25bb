import { writeSync } from 'node:fs';
import { chooseDriver, type DriverName } from '../../src/driver.ts';
import { openSqliteStore } from '../../src/index.ts';
import { createClinic, type Write } from './writes.ts';

// A process that opens a file, writes, copies the log into the file, closes, and begins again, until it is killed.
// It prints each write before and after it, immediately, so that no output is lost.
const [filename = '', first = '1', driver] = process.argv.slice(2) as [string, string, DriverName];
let at = Number(first);

const say = (...line: readonly unknown[]) => writeSync(1, `${JSON.stringify(line)}\n`);

const round = async (): Promise<void> => {
  say('opening');
  const store = openSqliteStore({ filename, driver });
  const clinic = createClinic(store);
  const write = async (what: Write['what'], of: string) => {
    const begun: Write = { at, what, of };
    at += 1;
    say('asked', begun);
    const answer = await clinic.write(begun);
    say('answered', begun.at, answer);
  };

  await write('patient', 'amy');
  await write('practitioner', 'ada');
  await write('practitioner', 'bob');
  await write('organization', 'lab');

  const team = async (member: string) => {
    for (let times = 0; times < 3; times += 1) await write('team', member);
  };
  const visit = async (id: string) => {
    await write('encounter', id);
    await Promise.all([1, 2, 3].map(() => write('immunization', id)));
  };
  const goal = async (id: string) => {
    await write('goal', id);
    await Promise.all([1, 2].map(() => write('progress', id)));
    await write('close', id);
  };
  await Promise.all([
    team('ada'),
    team('bob'),
    ...[1, 2].flatMap((own) => [visit(`visit-${at}-${own}`), goal(`goal-${at}-${own}`)]),
  ]);

  say('checkpoint');
  const database = chooseDriver(driver).open(filename, {});
  database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  database.close();
  say('closing');
  await store.close();
};

for (;;) await round();
