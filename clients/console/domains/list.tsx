import { useState } from 'react';
import { trimmed } from '../../../lambdas/core/invisible.ts';
import { Button } from '../parts/button.tsx';
import { useChange } from '../parts/kit/change.tsx';
import { Entry } from '../parts/kit/entry.tsx';
import { Field } from '../parts/kit/field.tsx';
import { Entries } from '../parts/kit/list.tsx';
import { Status } from '../parts/kit/status.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { api } from '../service/client.ts';
import { go, screenAddress } from '../service/location.ts';
import { untilAnswered } from '../service/patience.ts';
import { useDomains, useMay } from '../service/queries.ts';
import { domainAt } from '../service/resources.ts';
import { statusOf } from './status.ts';

export function DomainList() {
  const domains = useDomains();
  const mayWrite = useMay('domains:write');
  return (
    <>
      <h1>Domains</h1>
      {mayWrite && <AddDomain />}
      <Loaded query={domains} what="The domains" permission="domains:read">
        {(list) => (
          <Entries none="No domains yet. Short links begin with one that you own, such as go.acme.com.">
            {list.map((domain) => (
              <Entry key={domain.domain} side={<Status {...statusOf(domain)} />}>
                <PageLink to={{ ...screenAddress('domains'), item: domain.domain }} className="mono cut">
                  {domain.domain}
                </PageLink>
              </Entry>
            ))}
          </Entries>
        )}
      </Loaded>
    </>
  );
}

function AddDomain() {
  const [domain, setDomain] = useState('');
  const change = useChange('domains:write', ['domain']);
  const add = () =>
    change.run(async (say) => {
      const { data } = await untilAnswered(() => api.POST('/api/v1/domains', { body: { domain: trimmed(domain) } }), say);
      domainAt(data.domain).refresh();
      go({ ...screenAddress('domains'), item: data.domain });
      return {};
    });
  return (
    <form
      className="one-field"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <Field
        label="Add a domain"
        message={change.wrong.domain}
        hint="One that you own. The next page says which DNS records to add."
      >
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
            <Button kind="primary" isSubmit disabled={change.isBusy || trimmed(domain) === ''}>
              Add
            </Button>
          </span>
        )}
      </Field>
      {change.note}
    </form>
  );
}
