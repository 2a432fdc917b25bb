import type { ComponentChildren } from 'preact';
import { startOf } from '../../model/dates/dates.ts';
import { createTimeScale } from '../../model/dates/time-scale.ts';
import { groupByVaccine } from '../../model/immunization/vaccines.ts';
import { conceptName } from '../../model/names.ts';
import type { Immunization } from '../../model/resources.ts';
import type { HistoryOf } from '../history/history-dialog.tsx';
import type { MenuItem } from '../section/menu.tsx';
import { FilterBar, ShowAll, useFirst, useRecordFilter } from '../section/record-list.tsx';
import { Section } from '../section/section.tsx';
import { TimeAxis } from '../section/time-axis.tsx';
import { DoseLegend } from './dose-track.tsx';
import { VaccineRow } from './vaccine-row.tsx';

const states = { completed: 'Given', 'not-done': 'Not given', 'entered-in-error': 'Entered in error' };

const textOf = ({ vaccineCode, lotNumber, note = [], statusReason }: Immunization): string =>
  [conceptName(vaccineCode), lotNumber, conceptName(statusReason), ...note.map(({ text }) => text)].join(' ');

type DoseActions = {
  readonly onHistory: (of: HistoryOf) => void;
  readonly onRetract: (immunization: Immunization) => void;
};

const menuOf = (dose: Immunization, { onHistory, onRetract }: DoseActions): readonly MenuItem[] => [
  {
    text: 'History',
    onChoose: () => onHistory({ type: 'Immunization', id: dose.id, title: conceptName(dose.vaccineCode) }),
  },
  ...(dose.status === 'entered-in-error'
    ? []
    : [{ text: 'Mark as entered in error …', onChoose: () => onRetract(dose) }]),
];

/** The doses by vaccine on one line of time: the doses that were given, and the others with the reason. */
export const ImmunizationSection = ({
  immunizations,
  now,
  onHistory,
  onAdd,
  onRetract,
  drafts,
}: {
  readonly immunizations: readonly Immunization[];
  readonly now: number;
  readonly onAdd: () => void;
  /** The drafts, before the doses. */
  readonly drafts: readonly ComponentChildren[];
} & DoseActions) => {
  const scale = createTimeScale(
    immunizations.map((one) => startOf(one.occurrenceDateTime)),
    now,
  );
  const list = useRecordFilter(immunizations, { stateOf: ({ status }) => status, textOf });
  const first = useFirst(groupByVaccine(list.matching), ({ doses }, saved) =>
    doses.some(({ id }) => id === saved),
  );
  return (
    <Section
      id="immunizations"
      title="Immunizations"
      detail={
        immunizations.length === 0
          ? undefined
          : `${list.counts.completed ?? 0} given of ${immunizations.length}`
      }
      action={{ text: 'Record an immunization', onClick: onAdd }}
    >
      {drafts}
      {immunizations.length === 0 && drafts.length === 0 && (
        <p class="empty">
          No immunizations yet. Ask for the patient’s vaccination card, and record each dose.
        </p>
      )}
      {immunizations.length > 0 && (
        <>
          <FilterBar id="immunizations" noun="immunizations" states={states} list={list} />
          <div class="axis">
            <TimeAxis scale={scale} now={now} />
          </div>
          <ul class="vaccine-rows">
            {first.shown.map((group) => (
              <VaccineRow
                key={group.code}
                group={group}
                scale={scale}
                now={now}
                menuOf={(dose) => menuOf(dose, { onHistory, onRetract })}
              />
            ))}
          </ul>
          <ShowAll noun="vaccines" of={first} />
          <DoseLegend />
        </>
      )}
    </Section>
  );
};
