import { useEffect, useState } from 'preact/hooks';
import type { TimeScale } from '../../model/dates/time-scale.ts';
import type { VaccineGroup } from '../../model/immunization/vaccines.ts';
import type { Immunization } from '../../model/resources.ts';
import type { MenuItem } from '../section/menu.tsx';
import { useViewState } from '../section/view-state.tsx';
import { DoseRow } from './dose-row.tsx';
import { DoseTrack } from './dose-track.tsx';

/** The number of doses of a vaccine that are shown at once; of more, only the latest is shown. */
const few = 3;

/** A vaccine: its doses on the line of time, and the latest in words. */
export const VaccineRow = ({
  group: { name, doses, isInError },
  scale,
  now,
  menuOf,
}: {
  readonly group: VaccineGroup;
  readonly scale: TimeScale;
  readonly now: number;
  readonly menuOf: (dose: Immunization) => readonly MenuItem[];
}) => {
  const [isOpen, setOpen] = useState(false);
  const { printing, savedId } = useViewState();
  const isSavedBelow = doses.slice(1).some(({ id }) => id === savedId);
  useEffect(() => {
    if (isSavedBelow) setOpen(true);
  }, [isSavedBelow]);
  const isShort = doses.length > few && (printing === null ? !isOpen : printing === 'summary');
  const text = isOpen ? 'Only the latest dose' : `All ${doses.length} doses`;
  const toggle = (
    <button
      type="button"
      class="quiet other-doses"
      aria-expanded={isOpen}
      aria-label={`${text}: ${name}`}
      onClick={() => setOpen(!isOpen)}
    >
      {text}
    </button>
  );
  const printed = isShort && <span class="secondary other-doses">the latest of {doses.length} doses</span>;
  const others = doses.length > few && (printing === null ? toggle : printed);
  return (
    <li class={`vaccine ${isInError ? 'in-error' : ''}`}>
      <h3 dir="auto">{name}</h3>
      <DoseTrack scale={scale} now={now} doses={doses} />
      <ul class="doses">
        {(isShort ? doses.slice(0, 1) : doses).map((dose, index) => (
          <DoseRow key={dose.id} dose={dose} vaccine={name} menu={menuOf(dose)}>
            {index === 0 && others}
          </DoseRow>
        ))}
      </ul>
    </li>
  );
};
