import { useAddress } from '../service/location.ts';
import { DomainPage } from './domain.tsx';
import { DomainList } from './list.tsx';

/** The domains of the workspace, or one of them with its records and settings. */
export function DomainsScreen() {
  const { item } = useAddress();
  return <div className="screen">{item === undefined ? <DomainList /> : <DomainPage key={item} name={item} />}</div>;
}
