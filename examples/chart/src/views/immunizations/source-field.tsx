import { useUser } from '../contexts.ts';

/** What is recorded: a dose that was given in this clinic, one that somebody reports, or a vaccine that was not given. */
export type Source = 'here' | 'reported' | 'not-given';

const names = { here: 'Given here', reported: 'Reported', 'not-given': 'Not given' } as const;

/** The choice between a dose that was given here, by the user, one that is reported, and none. */
export const SourceField = ({
  value,
  onChange,
}: {
  readonly value: Source;
  readonly onChange: (value: Source) => void;
}) => {
  const { name, practitionerId } = useUser();
  const meanings = {
    here: practitionerId === null ? 'In this clinic.' : `In this clinic, by ${name}.`,
    reported: 'Elsewhere, such as one on the patient’s card.',
    'not-given': 'Declined, or not given for another reason.',
  };
  return (
    <fieldset class="choices" aria-describedby="source-meaning">
      <legend>What is recorded</legend>
      {(['here', 'reported', 'not-given'] as const).map((source) => (
        <label key={source} class="choice">
          <input type="radio" name="source" checked={value === source} onChange={() => onChange(source)} />
          {names[source]}
        </label>
      ))}
      <p id="source-meaning" class="understood secondary" dir="auto" aria-live="polite">
        {meanings[value]}
      </p>
    </fieldset>
  );
};
