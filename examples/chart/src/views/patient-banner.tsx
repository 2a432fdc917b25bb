import { dayOf } from '../model/dates.ts';
import { listedName } from '../model/names.ts';
import { birthOf, deathOf, otherIdentifiersOf, recordOf } from '../model/patients.ts';
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
  const { name, gender, telecom, communication } = patient;
  const death = deathOf(patient);
  return (
    <header class="patient-banner">
      <h1>
        <bdi dir="auto">{listedName(name)}</bdi>
      </h1>
      {death !== undefined && <strong class="death">{death}</strong>}
      <dl>
        <Item term="Born">{birthOf(patient, dayOf(new Date()))}</Item>
        <Item term="Sex">{gender}</Item>
        <Item term="Record">{recordOf(patient)}</Item>
        {otherIdentifiersOf(patient).map(({ kind, value }) => (
          <Item key={`${kind} ${value}`} term={kind}>
            {value}
          </Item>
        ))}
        <Item term="Language">{communication?.[0]?.language?.coding?.[0]?.display}</Item>
        <Item term="Phone">{telecom?.find(({ system }) => system === 'phone')?.value}</Item>
      </dl>
    </header>
  );
};
