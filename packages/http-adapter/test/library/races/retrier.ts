import { once } from 'node:events';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { statement } from '../../builders.ts';
import { createHandler, createRecords, createSender } from '../../clinic.ts';

// A process that sends the same POST on a file several times at once, when it is started, and prints the
// responses. If it is to die, it does so after the first commit, before any response.
const [filename = '', count = '1', end = 'answers', header = 'idempotency-key', value = 'retried'] =
  process.argv.slice(2);
const opened = openSqliteStore({ filename, busyTimeout: 60_000 });
const store =
  end === 'dies'
    ? {
        ...opened,
        commit: async (commit: Parameters<typeof opened.commit>[0]) => {
          await opened.commit(commit);
          process.kill(process.pid, 'SIGKILL');
          return new Promise<never>(() => {});
        },
      }
    : opened;
const send = createSender(createHandler(createRecords(store)));
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const identifier = [{ system: 'urn:x:registry', value: 'A-1' }];
const sent = { body: statement({ identifier }), headers: { [header]: value } };
const answers = await Promise.all(
  Array.from({ length: Number(count) }, () => send('POST', '/Immunization', sent)),
);
await store.close();
process.stdout.write(JSON.stringify(answers.map(({ status, headers, text }) => ({ status, headers, text }))));
process.stdin.destroy();
