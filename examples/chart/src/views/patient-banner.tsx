import { ageAt, dayOf, formatDate } from '../model/dates.ts';
import { listedName } from '../model/names.ts';
import { recordOf } from '../model/patients.ts';
import type { Patient } from '../model/resources.ts';

const Item = ({ term, children }: { readonly term: string; readonly children: string | undefined }) =>
  children === undefined ? null : (
    <div>
      <dt>{term}</dt>
      <dd>
        <bdi dir="auto">{children}</bdi>
      </dd>
    </div>
  );

/** Who the patient is, so that nobody writes into the chart of another. */
export const PatientBanner = ({ patient }: { readonly patient: Patient }) => {
  const { name, birthDate, gender, telecom, communication } = patient;
  const age = birthDate && ageAt(birthDate, dayOf(new Date()));
  return (
    <header class="patient-banner">
      <h1>
        <bdi dir="auto">{listedName(name)}</bdi>
      </h1>
      <dl>
        <Item term="Born">{birthDate && `${formatDate(birthDate)} (${age} years)`}</Item>
        <Item term="Sex">{gender}</Item>
        <Item term="Record">{recordOf(patient)}</Item>
        <Item term="Language">{communication?.[0]?.language?.coding?.[0]?.display}</Item>
        <Item term="Phone">{telecom?.find(({ system }) => system === 'phone')?.value}</Item>
      </dl>
    </header>
  );
};
