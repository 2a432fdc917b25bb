import type { ComponentChildren } from 'preact';
import type { Chart } from '../../api/chart.ts';
import { departuresIn, type Member, membersOf, sortMembers } from '../../model/care-team.ts';
import { formatDay } from '../../model/dates.ts';
import { statusLabels } from '../../model/status-labels.ts';
import type { HistoryOf } from '../history/history-dialog.tsx';
import { HistoryButton, Section } from '../section/section.tsx';

const MemberRow = ({
  member,
  children,
}: {
  readonly member: Member;
  readonly children?: ComponentChildren;
}) => (
  <li class="member">
    <bdi dir="auto" class="member-name">
      {member.name}
    </bdi>
    <span class="secondary">{member.role || 'Organization'}</span>
    {member.isLead && <span class="mark lead">Lead</span>}
    {children}
  </li>
);

/** The team: its lead first, those who are not active, and who left when. */
export const CareTeamSection = ({
  chart,
  onHistory,
  actions,
}: {
  readonly chart: Chart;
  readonly onHistory: (of: HistoryOf) => void;
  readonly actions?: ComponentChildren;
}) => {
  const { team, otherParts, teamVersions } = chart;
  const members = sortMembers(membersOf(team.resource));
  const departures = departuresIn(teamVersions, otherParts);
  return (
    <Section
      id="care-team"
      title="Care team"
      actions={
        <>
          {actions}
          <HistoryButton
            of="the care team"
            onClick={() => onHistory({ type: 'CareTeam', id: team.resource.id, title: 'Care team' })}
          />
        </>
      }
    >
      {members.length === 0 ? (
        <p class="empty">Nobody is on the team yet.</p>
      ) : (
        <ul class="rows">
          {members.map((member) => (
            <MemberRow key={member.reference} member={member} />
          ))}
        </ul>
      )}
      {otherParts.map((part) => (
        <div key={part.status} class={part.status === 'entered-in-error' ? 'in-error' : undefined}>
          <h3>{statusLabels[part.status]}</h3>
          <ul class="rows">
            {membersOf(part).map((member) => (
              <MemberRow key={member.reference} member={member} />
            ))}
          </ul>
        </div>
      ))}
      {departures.length > 0 && (
        <div>
          <h3>Left the team</h3>
          <ul class="rows">
            {departures.map((member) => (
              <MemberRow key={member.reference} member={member}>
                <time class="row-date" dateTime={member.leftAt}>
                  {formatDay(member.leftAt)}
                </time>
              </MemberRow>
            ))}
          </ul>
        </div>
      )}
    </Section>
  );
};
