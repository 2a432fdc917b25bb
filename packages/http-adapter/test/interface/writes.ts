import { immunizationStatement, inError, statement } from '../builders.ts';
import type { Clinic, Sent } from '../clinic.ts';

/** The writes of a clinic, right but for what a test changes of their bodies and of how they are sent. */
export const writesOf = (clinic: () => Clinic) => ({
  put: (fields: object = {}, sent: Sent = {}) =>
    clinic().put('/CareTeam/amy', { id: 'amy', ...fields }, sent),
  post: (fields: object = {}, sent: Sent = {}) => clinic().post('/Immunization', statement(fields), sent),
  mark: (sent: Sent = {}) => clinic().put('/Immunization/shot', inError(), sent),
  record: () => clinic().record(immunizationStatement()),
});
