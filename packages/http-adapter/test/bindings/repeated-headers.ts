import { expect } from 'vitest';

type Headers = Readonly<Record<string, string[]>>;

const form = 'application/x-www-form-urlencoded';
const [earlier, later] = ['Sun, 01 Mar 2020 08:00:00 GMT', 'Fri, 01 Mar 2030 08:00:00 GMT'];

/** Headers of a `PUT /CareTeam/amy` that were sent twice, and its status. */
const cases: readonly (readonly [status: number, headers: Headers])[] = [
  [412, { 'if-unmodified-since': [earlier, earlier] }],
  [412, { 'if-unmodified-since': [earlier, later] }],
  [200, { 'if-unmodified-since': [later, earlier] }],
  [412, { 'if-unmodified-since': ['Sunday, 01-Mar-20 08:00:00 GMT', later] }],
  [412, { 'if-unmodified-since': ['Sun Mar  1 08:00:00 2020', later] }],
  [412, { 'if-match': ['W/"98"', 'W/"99"'] }],
  [200, { 'content-type': ['application/json', 'application/json'] }],
  [415, { 'content-type': [form, 'application/json'] }],
  [400, { authorization: ['Bearer full', 'Bearer none'] }],
  [400, { authorization: ['Bearer forged', 'Bearer full'] }],
  [400, { authorization: ['Bearer full', 'Bearer full'] }],
  [400, { authorization: ['Basic ZnVsbDo=', 'Bearer full'] }],
  [401, { authorization: ['Digest username="full", uri="/fhir", nc=1'] }],
];

/** That headers which were sent twice mean the same, however they come in. */
export const expectFirstValueToCount = async (
  put: (headers: Headers) => Promise<{ readonly status: number }>,
): Promise<void> => {
  const once = { authorization: ['Bearer full'], 'content-type': ['application/json'] };
  for (const [status, headers] of cases) {
    const answer = await put({ ...once, ...headers });
    expect({ status: answer.status, headers }).toEqual({ status, headers });
  }
};
