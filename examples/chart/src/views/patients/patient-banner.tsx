import { useLayoutEffect, useRef } from 'preact/hooks';
import { dayOf } from '../../model/dates.ts';
import { birthOf, deathOf, otherIdentifiersOf, recordOf } from '../../model/patients.ts';
import type { Patient } from '../../model/resources.ts';
import { PatientName } from './patient-name.tsx';

const Item = ({ term, children }: { readonly term: string; readonly children: string }) => (
  <div>
    <dt>{term}</dt>
    <dd>
      <bdi dir="auto">{children}</bdi>
    </dd>
  </div>
);

/** Keeps the height of the banner in `--banner-height`, below which other things stay in sight. */
const useBannerHeight = () => {
  const banner = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize ?? 0;
      document.documentElement.style.setProperty('--banner-height', `${height}px`);
    });
    if (banner.current !== null) observer.observe(banner.current);
    return () => observer.disconnect();
  }, []);
  return banner;
};

/**
 * Who the patient is, always in sight and on every printed page, so that nobody writes into the chart of another. Each item has its
 * place, also if it is not known. Source: the NHS's guidance on the patient banner.
 */
export const PatientBanner = ({ patient }: { readonly patient: Patient }) => {
  const death = deathOf(patient);
  return (
    <header ref={useBannerHeight()} class={`patient-banner ${death === undefined ? '' : 'deceased'}`}>
      <h1>
        <PatientName name={patient.name} />
      </h1>
      {death !== undefined && <strong class="death">{death}</strong>}
      <dl>
        <Item term="Born">{birthOf(patient, dayOf(new Date())) ?? 'not known'}</Item>
        <Item term="Sex">{patient.gender ?? 'not known'}</Item>
        <Item term="Number">{recordOf(patient)}</Item>
      </dl>
    </header>
  );
};

/** The further identifiers of a patient, and how to speak with the patient. */
export const PatientDetails = ({ patient }: { readonly patient: Patient }) => {
  const { telecom, communication } = patient;
  const language = communication?.[0]?.language?.coding?.[0]?.display;
  const phone = telecom?.find(({ system }) => system === 'phone')?.value;
  const identifiers = otherIdentifiersOf(patient);
  if (identifiers.length === 0 && language === undefined && phone === undefined) return null;
  return (
    <dl class="patient-details">
      {identifiers.map(({ kind, value }) => (
        <Item key={`${kind} ${value}`} term={kind}>
          {value}
        </Item>
      ))}
      {language !== undefined && <Item term="Language">{language}</Item>}
      {phone !== undefined && <Item term="Phone">{phone}</Item>}
    </dl>
  );
};
