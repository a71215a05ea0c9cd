import type { Schemas } from '../../typescript/client.ts';

export type Link = Schemas['Link'];
export type Tag = Schemas['Tag'];
export type Template = Schemas['Template'];
export type LinkTag = Schemas['LinkTag'];
export type Domain = Schemas['DomainInList'];
export type DomainDetails = Schemas['Domain'];
export type Webhook = Schemas['Webhook'];
export type Delivery = Schemas['WebhookDelivery'];
export type Me = Schemas['Me'];
export type Statistics = Schemas['Statistics'];
export type HistoryEntry = Schemas['HistoryEntry'];
export type TopLinks = Schemas['TopLinks'];
