import { plural } from '@renderer/client/format';
import { useStart } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { Problems } from '@renderer/parts/problems/problems';
import { Button } from '@renderer/ui/controls/button';
import { Play, Sprout } from 'lucide-react';
import { useState } from 'react';
import type { TeamTemplate } from '../../contract/procedures';
import teamsStyles from '../teams.module.css';
import { begin } from './begin';
import styles from './templates.module.css';

/** The team templates of all projects. */
export function Templates({ templates }: { readonly templates: readonly TeamTemplate[] }) {
  if (templates.length === 0) {
    return (
      <div className={styles.teamTemplate}>
        <p className="quiet">
          Team templates of a project are in <code>.muster/teams/NAME.yaml</code>. The sample project has two,
          with scripted members that need no key.
        </p>
        <Button icon={Sprout} onClick={() => void addSample()}>
          Add the sample project
        </Button>
      </div>
    );
  }
  return (
    <ul className={styles.teamTemplates} aria-label="Templates">
      {templates.map((template) => (
        <Template key={`${template.projectId}/${template.file}`} template={template} />
      ))}
    </ul>
  );
}

async function addSample(): Promise<void> {
  await attempt(call('project.createSample', {}), 'Created the sample project');
  await refresh('project.list', 'workflow.list', 'agent.list', 'team.templates');
}

function Template({ template }: { template: TeamTemplate }) {
  const { name, description, config, members, problems, projectId, projectName, file } = template;
  const [starting, setStarting] = useState(false);
  const broken = config === null || problems.some(({ severity }) => severity === 'error');
  const startOnce = useStart(JSON.stringify(config));
  const start = async () => {
    if (config === null) return;
    setStarting(true);
    const started = await startOnce((uid) => begin({ uid, projectId, name, config }));
    if (!started) setStarting(false);
  };
  return (
    <li className={styles.teamTemplate} aria-label={name}>
      <div className={teamsStyles.chatHead}>
        <h2 className="cut">{name}</h2>
        <span className="faint note cut" title={file}>
          {projectName}
        </span>
        <span className="grow" />
        <Button tone="primary" icon={Play} disabled={broken || starting} onClick={() => void start()}>
          Start {members.length > 0 && plural(members.length, 'agent')}
        </Button>
      </div>
      {description !== null && <p className="quiet">{description}</p>}
      <p className={`note faint ${styles.teamTemplateMembers}`}>
        {members.map((member) => (
          <span key={member.name} title={member.agent}>
            {member.name}
            {member.iterative ? '' : ' (one-shot)'}
          </span>
        ))}
      </p>
      {problems.length > 0 && <Problems problems={problems} path={null} />}
    </li>
  );
}
