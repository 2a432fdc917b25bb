import { useUser } from '../contexts.ts';

/** From where a dose is known: it was given in this clinic, or somebody reports it. */
export type Source = 'here' | 'reported';

const names = { here: 'Given here', reported: 'Reported' } as const;

/** The choice between a dose that was given here, by the user, and one that is reported. */
export const SourceField = ({
  value,
  onChange,
}: {
  readonly value: Source;
  readonly onChange: (value: Source) => void;
}) => {
  const { name, practitionerId } = useUser();
  const here = practitionerId === null ? 'In this clinic.' : `In this clinic, by ${name}.`;
  return (
    <fieldset class="choices" aria-describedby="source-meaning">
      <legend>Where it was given</legend>
      {(['here', 'reported'] as const).map((source) => (
        <label key={source} class="choice">
          <input type="radio" name="source" checked={value === source} onChange={() => onChange(source)} />
          {names[source]}
        </label>
      ))}
      <p id="source-meaning" class="understood secondary" dir="auto" aria-live="polite">
        {value === 'here' ? here : 'Elsewhere, such as one on the patient’s card.'}
      </p>
    </fieldset>
  );
};
