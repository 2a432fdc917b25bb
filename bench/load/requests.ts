import {
  immunizationBody,
  patientId,
  patientOf,
  type RecordType,
  record,
  recordId,
  recordsPerPatient,
  type ServiceRequest,
  typeOf,
} from '../data/clinic.ts';
import { below, oneOf } from '../data/random.ts';
import { token } from '../servers/token.ts';

/** The requests that a workload sends repeatedly, for random patients and records unless it names them. */
export type Requests =
  | { readonly kind: 'read' | 'create in encounter' | 'create in new note'; readonly records: number }
  | { readonly kind: 'search'; readonly type: RecordType; readonly count: number; readonly records: number }
  | {
      readonly kind: 'narrowed search';
      readonly by: 'status' | 'authored' | 'code';
      readonly records: number;
    }
  | { readonly kind: 'fixed'; readonly path: string };

const head = (method: string, path: string) =>
  `${method} /fhir/${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n`;

const get = (path: string): string => `${head('GET', path)}\r\n`;

const post = (path: string, body: string): string =>
  `${head('POST', path)}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** The first record of a random patient with records of the type. */
const firstOfPatient = (random: () => number, type: RecordType, records: number): number => {
  const pairs = Math.floor(patientOf(records) / 2);
  const patient = below(random, pairs) * 2;
  return (typeOf(patient) === type ? patient : patient + 1) * recordsPerPatient;
};

const searchValueOf = (
  { status, authoredOn, code }: ServiceRequest,
  by: 'status' | 'authored' | 'code',
): string => {
  switch (by) {
    case 'status':
      return status;
    case 'authored':
      return `ge${authoredOn.slice(0, 10)}`;
    case 'code':
      return `http://loinc.org%7C${code.coding[0]?.code}`;
  }
};

/** Returns a function that creates the text of the next request. */
export const createRequests = (requests: Requests, random: () => number): (() => string) => {
  switch (requests.kind) {
    case 'fixed': {
      const text = get(requests.path);
      return () => text;
    }
    case 'read':
      return () => {
        const id = recordId(
          firstOfPatient(random, 'Immunization', requests.records) + below(random, recordsPerPatient),
        );
        return get(`Immunization/${id}`);
      };
    case 'search': {
      const { type, count, records } = requests;
      return () => {
        const patient = patientId(patientOf(firstOfPatient(random, type, records)));
        return get(`${type}?patient=Patient/${patient}&_count=${count}`);
      };
    }
    case 'narrowed search': {
      const { by, records } = requests;
      return () => {
        const first = firstOfPatient(random, 'ServiceRequest', records);
        const value = searchValueOf(record(first + below(random, recordsPerPatient)) as ServiceRequest, by);
        return get(`ServiceRequest?patient=Patient/${patientId(patientOf(first))}&${by}=${value}&_count=20`);
      };
    }
    case 'create in encounter':
    case 'create in new note': {
      const place = requests.kind === 'create in encounter' ? 'its encounter' : 'a new note';
      return () => {
        const first = firstOfPatient(random, 'Immunization', requests.records);
        return post(
          'Immunization',
          JSON.stringify(immunizationBody(first + oneOf(random, [0, 3, 6, 9]), place)),
        );
      };
    }
  }
};
