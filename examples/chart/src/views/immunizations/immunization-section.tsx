import type { ComponentChildren } from 'preact';
import { formatDate, startOf } from '../../model/dates.ts';
import type { Immunization } from '../../model/resources.ts';
import { createTimeScale } from '../../model/time-scale.ts';
import { groupByVaccine } from '../../model/vaccines.ts';
import type { HistoryOf } from '../history/history-dialog.tsx';
import { Section } from '../section/section.tsx';
import { TimeAxis } from '../section/time-axis.tsx';
import { DoseRow } from './dose-row.tsx';
import { DoseTrack } from './dose-track.tsx';

/** The doses by vaccine on one line of time: what was given, and what was not and why. */
export const ImmunizationSection = ({
  immunizations,
  onHistory,
  actions,
  actionsOf,
}: {
  readonly immunizations: readonly Immunization[];
  readonly onHistory: (of: HistoryOf) => void;
  readonly actions?: ComponentChildren;
  readonly actionsOf?: (immunization: Immunization, label: string) => ComponentChildren;
}) => {
  const now = Date.now();
  const scale = createTimeScale([now, ...immunizations.map((one) => startOf(one.occurrenceDateTime))]);
  const given = immunizations.filter(({ status }) => status === 'completed').length;
  return (
    <Section
      id="immunizations"
      title="Immunizations"
      detail={immunizations.length === 0 ? undefined : `${given} given of ${immunizations.length}`}
      actions={actions}
    >
      {immunizations.length === 0 ? (
        <p class="empty">No immunizations.</p>
      ) : (
        <>
          <TimeAxis scale={scale} now={now} />
          <ul class="vaccine-rows">
            {groupByVaccine(immunizations).map(({ code, name, doses }) => (
              <li key={code} class="vaccine">
                <h3 dir="auto">{name}</h3>
                <DoseTrack scale={scale} now={now} doses={doses} />
                <ul class="doses">
                  {doses.map((dose) => (
                    <DoseRow
                      key={dose.id}
                      dose={dose}
                      vaccine={name}
                      onHistory={() => onHistory({ type: 'Immunization', id: dose.id, title: name })}
                      actions={actionsOf?.(dose, `${name}, ${formatDate(dose.occurrenceDateTime)}`)}
                    />
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
};
