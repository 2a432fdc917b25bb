import type { ComponentChildren } from 'preact';
import { dayOf } from '../../model/dates/dates.ts';
import { birthOf, deathOf, recordOf } from '../../model/patients.ts';
import type { Patient } from '../../model/resources.ts';
import { isSimilar } from '../../model/similar-patients.ts';
import { Mark } from '../section/mark.tsx';
import { linkToPatient } from './patient-location.ts';
import { PatientName } from './patient-name.tsx';

/** A patient of a table, and the work that waits. */
export type ListedPatient = { readonly patient: Patient; readonly marks?: ComponentChildren };

const PatientRow = ({ patient, marks, isSimilar }: ListedPatient & { readonly isSimilar: boolean }) => {
  const death = deathOf(patient);
  return (
    <tr>
      <th scope="row">
        <a href={linkToPatient(patient.id)}>
          <PatientName name={patient.name} />
        </a>
        {death !== undefined && <strong class="death">{death}</strong>}
        {isSimilar && (
          <span class="work">
            <Mark icon="urgent" tone="wait">
              Similar name, same birth date
            </Mark>
          </span>
        )}
        {marks}
      </th>
      <td>{birthOf(patient, dayOf(new Date())) ?? 'not known'}</td>
      <td>{patient.gender ?? 'not known'}</td>
      <td>
        <bdi dir="auto">{recordOf(patient)}</bdi>
      </td>
    </tr>
  );
};

/** Patients with the facts of the banner, each in its column. */
export const PatientTable = ({
  caption,
  patients,
}: {
  readonly caption: string;
  readonly patients: readonly ListedPatient[];
}) =>
  patients.length === 0 ? null : (
    <table class="patients">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Born</th>
          <th scope="col">Sex</th>
          <th scope="col">Number</th>
        </tr>
      </thead>
      <tbody>
        {patients.map((listed) => (
          <PatientRow
            key={listed.patient.id}
            isSimilar={patients.some(({ patient }) => isSimilar(listed.patient, patient))}
            {...listed}
          />
        ))}
      </tbody>
    </table>
  );
