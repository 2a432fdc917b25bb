import { createTestRecords } from '@clinical-records/core/testing';
import { createHttpHandler, toFetch } from '@clinical-records/http-adapter';
import { createMemoryStore } from '@clinical-records/store-memory';

// Serves a clinic in memory, as a worker of Cloudflare's runtime.

const open = async () => {
  const { records } = createTestRecords({ store: createMemoryStore() });
  await records.directory.put('Patient', { id: '7', lastName: 'Shaw', firstName: 'Amy' });
  const handler = createHttpHandler(records, {
    basePath: '/fhir',
    authenticate: (token) => (token === 'ada' ? { subject: 'Practitioner/12', scopes: ['user/*.*'] } : null),
  });
  return toFetch(handler);
};

/** A worker may wait for something only while it responds. */
let opening;

export default {
  fetch: async (request) => {
    opening ??= open();
    return (await opening)(request);
  },
};
