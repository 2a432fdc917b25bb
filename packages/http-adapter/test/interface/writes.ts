import { enteredInError, immunizationStatement, statement } from '../builders.ts';
import type { Clinic, RequestOptions } from '../clinic.ts';

/** The writes of a clinic, right but for what a test changes of their bodies and of how they are sent. */
export const createWrites = (clinic: () => Clinic) => ({
  put: (fields: object = {}, sent: RequestOptions = {}) =>
    clinic().put('/CareTeam/amy', { id: 'amy', ...fields }, sent),
  post: (fields: object = {}, sent: RequestOptions = {}) =>
    clinic().post('/Immunization', statement(fields), sent),
  mark: (sent: RequestOptions = {}) => clinic().put('/Immunization/shot', enteredInError(), sent),
  record: () => clinic().record(immunizationStatement()),
});
