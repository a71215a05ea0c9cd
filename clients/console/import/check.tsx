import { useEffect, useMemo, useRef, useState } from 'react';
import { tagsPerLink } from '../../../lambdas/core/limits.ts';
import { ignoredColumns } from '../../migration/fields.ts';
import { type FormatName, formats } from '../../migration/formats.ts';
import { planOf, sourceDomains } from '../../migration/plan.ts';
import type { PlannedLink, PlannedRow } from '../../migration/planned.ts';
import { asMade, usedTemplate } from '../../migration/template.ts';
import { TagsField } from '../link/fields/tags-field.tsx';
import { Button } from '../parts/button.tsx';
import { useEscape } from '../parts/keys.ts';
import { useChange } from '../parts/kit/change.tsx';
import { Entry } from '../parts/kit/entry.tsx';
import { SelectField } from '../parts/kit/field.tsx';
import { Group } from '../parts/kit/group.tsx';
import { count, counted, fullTime, ownZone } from '../parts/time.ts';
import { usualDomain } from '../service/new-links.ts';
import { useDomains, useMay, useTags, useTemplates } from '../service/queries.ts';
import { nextColour } from '../service/tags.ts';
import type { LinkTag, Me } from '../service/types.ts';
import { summaryOf } from '../templates/words.ts';
import type { Chosen } from './chosen.ts';
import { startImport } from './job.ts';
import type { Beside } from './pasted.ts';
import { tagAfter, withTag } from './planned.ts';

/** The most rows that are shown as links, and the most problems. */
const mostShown = { links: 10, problems: 50 };

type CheckProps = {
  readonly me: Me;
  readonly chosen: Chosen;
  /** Why the file could not be read in another format. */
  readonly wrong: string;
  readonly onFormat: (format: FormatName) => void;
  /** Reads the column beside pasted addresses as something else. */
  readonly onBeside: (beside: Beside) => void;
  readonly onBack: () => void;
};

/** Shows what would happen to each row, before anything is sent. */
export function Check({ me, chosen, wrong, onFormat, onBeside, onBack }: CheckProps) {
  const format = formats[chosen.format];
  const domains = useDomains().data?.filter(({ status }) => status !== 'PENDING_OWNERSHIP') ?? [];
  const sources = useMemo(() => sourceDomains(chosen.rows, format), [chosen.rows, format]);
  const [source, chooseSource] = useState<string>();
  const [domain, chooseDomain] = useState<string>();
  const [timezone, setTimezone] = useState('UTC');
  const { data: templates = [] } = useTemplates(useMay('tags:read'));
  const [templateId, chooseTemplate] = useState('');
  const [tagIds, chooseTags] = useState<readonly string[]>([]);
  /** A tag that the import will make. */
  const [newTag, setNewTag] = useState<LinkTag>();
  const mayTag = useMay('tags:write');
  const tags = useTags(mayTag);
  const change = useChange('links:write');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useEscape(onBack);

  const wanted = sources.length > 1 ? (sources.find((one) => one === source) ?? sources[0]) : undefined;
  const template = templates.find(({ id }) => id === templateId);
  const used = useMemo(() => template && usedTemplate(template), [template]);
  const to = [domain, wanted, template?.domain, usualDomain(domains)].flatMap(
    (name) => domains.find((one) => one.domain === name) ?? [],
  )[0];
  const plan = useMemo(
    () => planOf(chosen.rows, format, wanted, { timezone, template: used }),
    [chosen.rows, format, wanted, timezone, used],
  );
  const hasTimes = plan.some(({ link }) => link?.startsAt ?? link?.expiresAt);
  const hasNewTag = newTag !== undefined && tagIds.includes(newTag.id);
  const added = tags.data?.filter(({ id }) => tagIds.includes(id)) ?? [];
  const addedNames = [...added.map(({ name }) => name), ...(hasNewTag ? [newTag.name] : [])];
  const hasOwnTag = hasNewTag || added.some(({ _count }) => _count.links === 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list of names is a new one each time
  const rows = useMemo(() => addedNames.reduce(withTag, plan), [plan, addedNames.join()]);
  const givenTags = tags.data?.filter(({ id }) => template?.tagIds.includes(id)).map(({ name }) => name) ?? [];
  const isInstead = addedNames.length > 0 && givenTags.length > 0;
  const ready = rows.filter(({ link }) => link !== undefined);
  const refused = rows.filter(({ link }) => link === undefined);
  const altered = ready.filter(({ notes }) => notes.length > 0);
  const ignored = useMemo(() => ignoredColumns(chosen.rows, format), [chosen.rows, format]);

  const start = async () => {
    if (!to || ready.length === 0) return;
    await change.run(async () => {
      await startImport({
        workspaceId: me.workspace.id,
        runId: crypto.randomUUID(),
        fingerprint: chosen.fingerprint,
        fileName: chosen.name,
        format: chosen.format,
        dialect: chosen.dialect,
        domain: to.domain,
        template: used,
        tags: addedNames,
        rows,
        isPaused: false,
      });
      return {};
    });
  };

  return (
    <form
      className="stack wide-gap"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <h2 ref={heading} tabIndex={-1}>
        Check <bdi>{chosen.name}</bdi>
      </h2>
      <div className="field-row">
        {!chosen.pasted && (
          <SelectField
            label="Format"
            value={chosen.format}
            options={(Object.keys(formats) as FormatName[]).map((key) => [key, formats[key].name])}
            onChoose={onFormat}
          />
        )}
        {chosen.pasted?.beside && (
          <SelectField
            label="The column beside the address is the"
            value={chosen.pasted.beside}
            options={[
              ['slug', 'Slug'],
              ['title', 'Title'],
            ]}
            onChoose={onBeside}
          />
        )}
        {sources.length > 1 && (
          <SelectField label="Links of" value={wanted} options={sources.map((one) => [one, one])} onChoose={chooseSource} />
        )}
        <SelectField
          label="To the domain"
          value={to?.domain}
          options={domains.map((one) => [one.domain, one.domain])}
          onChoose={chooseDomain}
        />
        {templates.length > 0 && (
          <SelectField
            label="Template"
            hint={template ? `${summaryOf(template)}. Values in the file take priority.` : undefined}
            value={templateId}
            options={[['', 'None'], ...templates.map(({ id, name }) => [id, name] as const)]}
            onChoose={chooseTemplate}
          />
        )}
        {hasTimes && (
          <SelectField
            label="Time zone for times that have none"
            value={timezone}
            options={[...new Set(['UTC', ownZone()])].map((one) => [one, one.replaceAll('_', ' ')])}
            onChoose={setTimezone}
          />
        )}
        {mayTag && (
          <div className="stack">
            <TagsField
              label="Also add tags"
              chosen={tagIds}
              onChange={chooseTags}
              message={undefined}
              hint={`${isInstead ? 'They replace the tags of the template. ' : ''}${
                hasOwnTag ? '' : 'Give these links a tag of their own, so that you can find exactly these later.'
              }`}
              ownTags={hasNewTag ? [newTag] : undefined}
            />
            {!hasOwnTag && tagIds.length < tagsPerLink && (
              <p>
                <Button
                  kind="link"
                  className="start"
                  onClick={() => {
                    const name = tagAfter(chosen.name, tags.data?.map(({ name }) => name) ?? []);
                    setNewTag({ id: name, name, color: nextColour() });
                    chooseTags([...tagIds, name]);
                  }}
                >
                  {chosen.pasted ? 'Make a tag for them' : 'Name a tag after the file'}
                </Button>
              </p>
            )}
          </div>
        )}
      </div>
      {wrong !== '' && (
        <p className="notice bad" role="alert">
          {wrong}
        </p>
      )}
      {!to && <p className="notice warning">Links need a domain. Add one under Domains, and prove that you own it.</p>}
      <p role="status">
        <strong>{counted(ready.length, 'link')} ready</strong>
        {refused.length > 0 && ` · ${count(refused.length)} cannot be imported`}
        {altered.length > 0 && ` · ${count(altered.length)} will differ from the file`}
      </p>
      <Problems title="Cannot be imported" rows={refused} reasonsOf={({ reason }) => [reason ?? '']} />
      <Problems title="Will differ from the file" rows={altered} reasonsOf={({ notes }) => notes} />
      {ready.length > 0 && (
        <section className="stack" aria-label="The first links">
          <h3>How the {ready.length > mostShown.links ? `first ${mostShown.links} links` : 'links'} will look</h3>
          <ul className="entries">
            {ready.slice(0, mostShown.links).map(({ line, link }) => (
              <PlannedEntry
                key={line}
                link={link && used ? asMade(link, used) : link}
                givenTags={givenTags}
                domain={to?.domain ?? 'domain'}
              />
            ))}
          </ul>
        </section>
      )}
      <p className="small">
        Read as {chosen.dialect}.{ignored.length > 0 && ` Ignored columns: ${ignored.join(', ')}.`}
      </p>
      {change.note}
      <p className="actions foot">
        <Button onClick={onBack}>Back</Button>
        <Button kind="primary" isSubmit disabled={!to || ready.length === 0 || change.isBusy}>
          Import {counted(ready.length, 'link')}
        </Button>
      </p>
    </form>
  );
}

type PlannedEntryProps = {
  readonly link: PlannedLink | undefined;
  /** The tags that it gets if it has none of its own. */
  readonly givenTags: readonly string[];
  readonly domain: string;
};

function PlannedEntry({ link, givenTags, domain }: PlannedEntryProps) {
  if (!link) return null;
  const { slug, url, title, tags, expiresAt, maxClicks, rules } = link;
  const more = [
    ...(expiresAt ? [`expires ${fullTime(expiresAt)}`] : []),
    ...(maxClicks ? [`at most ${counted(maxClicks, 'click')}`] : []),
    ...(rules ? [counted(rules.length, 'rule')] : []),
  ];
  return (
    <Entry sideClass="small" side={<bdi className="cut">{[...(tags.length > 0 ? tags : givenTags), ...more].join(' · ')}</bdi>}>
      <bdi className="mono cut">
        {domain}/{slug ?? '…'}
      </bdi>
      {title && <bdi className="cut">{title}</bdi>}
      <bdi className="small cut">{url}</bdi>
    </Entry>
  );
}

type ProblemsProps = {
  readonly title: string;
  readonly rows: readonly PlannedRow[];
  readonly reasonsOf: (row: PlannedRow) => readonly string[];
};

function Problems({ title, rows, reasonsOf }: ProblemsProps) {
  if (rows.length === 0) return null;
  return (
    <Group title={`${title}: ${counted(rows.length, 'row')}`} isFirst={rows.length <= 5}>
      <ul className="problems">
        {rows.slice(0, mostShown.problems).map((row) => (
          <li key={row.line}>
            Row {count(row.line)}
            {row.source.slug && (
              <>
                , <bdi className="mono">{row.source.slug}</bdi>
              </>
            )}
            : {reasonsOf(row).join('; ')}.
          </li>
        ))}
        {rows.length > mostShown.problems && (
          <li>{count(rows.length - mostShown.problems)} more. The report of the import lists all of them.</li>
        )}
      </ul>
    </Group>
  );
}
