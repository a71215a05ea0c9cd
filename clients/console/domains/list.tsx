import { type FormEvent, useState } from 'react';
import { trimmed } from '../../../lambdas/core/invisible.ts';
import { useAction } from '../parts/forms/action.tsx';
import { Field } from '../parts/forms/field.tsx';
import { Icon } from '../parts/icons.tsx';
import { Button } from '../parts/kit/button.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { api } from '../service/client.ts';
import { go, screenAddress } from '../service/location.ts';
import { untilAnswered } from '../service/patience.ts';
import { queries, useDomains, useMay } from '../service/queries.ts';
import { statusOf } from './status.ts';

export function DomainList() {
  const domains = useDomains();
  const mayWrite = useMay('domains:write');
  return (
    <>
      <h1>Domains</h1>
      {mayWrite && <AddDomain />}
      <Loaded query={domains} what="The domains" permission="domains:read">
        {(list) =>
          list.length === 0 ? (
            <p>No domains yet. Add one that you own, such as go.acme.com.</p>
          ) : (
            <ul className="entries">
              {list.map((domain) => {
                const { icon, tone, word } = statusOf(domain);
                return (
                  <li key={domain.domain} className="entry">
                    <div className="entry-main">
                      <PageLink to={{ ...screenAddress('domains'), item: domain.domain }} className="mono cut">
                        {domain.domain}
                      </PageLink>
                    </div>
                    <div className="entry-side">
                      <span className={`state-word ${tone}`}>
                        <Icon name={icon} /> {word}
                      </span>
                    </div>
                  </li>
                );
              })}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}

function AddDomain() {
  const [domain, setDomain] = useState('');
  const { isBusy, wrong, note, run } = useAction('domains:write', ['domain']);
  const add = async (event: FormEvent) => {
    event.preventDefault();
    let name = trimmed(domain);
    const isAdded = await run(async (say) => {
      name = (await untilAnswered(() => api.POST('/api/v1/domains', { body: { domain: name } }), say)).data.domain;
    });
    if (!isAdded) return;
    void queries.invalidateQueries({ queryKey: ['domains'] });
    go({ ...screenAddress('domains'), item: name });
  };
  return (
    <form className="one-field" onSubmit={(event) => void add(event)}>
      <Field label="Add a domain" message={wrong.domain} hint="One that you own. The next page says which records to set.">
        {(described) => (
          <span className="with-button">
            <input
              {...described}
              value={domain}
              placeholder="go.acme.com"
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              onChange={(event) => setDomain(event.target.value)}
            />
            <Button kind="primary" isSubmit disabled={isBusy || trimmed(domain) === ''}>
              Add
            </Button>
          </span>
        )}
      </Field>
      {note}
    </form>
  );
}
