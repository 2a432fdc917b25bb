import type { Chart } from '../../api/chart.ts';
import { listAllergies } from '../../model/allergies.ts';
import { dayOf } from '../../model/dates/dates.ts';
import { listedName } from '../../model/names.ts';
import { birthOf, deathOf, otherIdentifiersOf, recordOf } from '../../model/patients.ts';
import type { Patient } from '../../model/resources.ts';
import { Mark } from '../section/mark.tsx';
import { Menu } from '../section/menu.tsx';
import { useViewState } from '../section/view-state.tsx';
import { PatientName } from './patient-name.tsx';
import { useSimilarPatients } from './use-similar-patients.ts';

const Item = ({ term, children }: { readonly term: string; readonly children: string }) => (
  <div>
    <dt>{term}</dt>
    <dd>
      <bdi dir="auto">{children}</bdi>
    </dd>
  </div>
);

/** The allergies. If nothing is recorded, there may be some all the same. */
const Allergies = ({ allergies }: { readonly allergies: NonNullable<Chart['allergies']> | null }) => {
  const listed = listAllergies(allergies ?? []);
  return (
    <dl class="allergies">
      <div>
        <dt>Allergies</dt>
        {listed.length === 0 && <dd>{allergies === null ? 'not shown to you' : 'not recorded'}</dd>}
        {listed.map(({ text, isHighRisk }) => (
          <dd key={text} class={isHighRisk ? 'high-risk' : ''}>
            <bdi dir="auto">{text}</bdi>
          </dd>
        ))}
      </div>
    </dl>
  );
};

/**
 * Who the patient is, always in sight and on every printed page, so that nobody writes into the chart of another. Each item has its
 * place, also if it is not known. Source: the NHS's guidance on the patient banner.
 */
export const PatientBanner = ({
  patient,
  allergies,
}: { readonly patient: Patient } & Pick<Chart, 'allergies'>) => {
  const death = deathOf(patient);
  const similar = useSimilarPatients(patient);
  const { print } = useViewState();
  return (
    <div class={`patient-banner ${death === undefined ? '' : 'deceased'}`}>
      <h1>
        <PatientName name={patient.name} />
      </h1>
      {death !== undefined && <strong class="death">{death}</strong>}
      {allergies !== undefined && <Allergies allergies={allergies} />}
      <dl class="identity">
        <Item term="Born">{birthOf(patient, dayOf(new Date())) ?? 'not known'}</Item>
        <Item term="Sex">{patient.gender ?? 'not known'}</Item>
        <Item term="Number">{recordOf(patient)}</Item>
      </dl>
      <Menu
        label="Print"
        text="Print"
        items={[
          { text: 'Print a summary', onChoose: () => print('summary') },
          { text: 'Print everything', onChoose: () => print('everything') },
        ]}
      />
      {similar.map((other) => (
        <p key={other.id} class="similar">
          <Mark icon="urgent" tone="strong-wait">
            Not <bdi dir="auto">{listedName(other.name)}</bdi>, {recordOf(other)}, of a similar name, born on
            the same day
          </Mark>
        </p>
      ))}
    </div>
  );
};

/** The further identifiers of a patient, and how to speak with the patient. */
export const PatientDetails = ({ patient }: { readonly patient: Patient }) => {
  const { telecom, communication } = patient;
  const language = communication?.[0]?.language?.coding?.[0]?.display;
  const phone = telecom?.find(({ system }) => system === 'phone')?.value;
  return (
    <dl class="patient-details">
      {otherIdentifiersOf(patient).map(({ kind, value }) => (
        <Item key={`${kind} ${value}`} term={kind}>
          {value}
        </Item>
      ))}
      {language !== undefined && <Item term="Language">{language}</Item>}
      {phone !== undefined && <Item term="Phone">{phone}</Item>}
    </dl>
  );
};
