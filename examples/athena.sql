-- The files of clicks, for Athena: put in your bucket and workspaces.
CREATE EXTERNAL TABLE clicks (
  id string, visitor string, shard string, sequence_number string,
  clicked_at timestamp, link_id string, host string, epoch bigint,
  country string, referrer string, device string, browser string, os string,
  language string, source string, variant string, slug string, path string,
  utm_source string, utm_medium string, utm_campaign string,
  is_unique boolean
)
PARTITIONED BY (workspace string, month string)
STORED AS PARQUET
LOCATION 's3://BUCKET/clicks/'
TBLPROPERTIES (
  'projection.enabled' = 'true',
  'projection.workspace.type' = 'enum',
  'projection.workspace.values' = 'ws_…,ws_…',
  'projection.month.type' = 'date',
  'projection.month.format' = 'yyyy-MM',
  'projection.month.range' = '2026-01,NOW',
  'projection.month.interval' = '1',
  'projection.month.interval.unit' = 'MONTHS',
  'storage.location.template' = 's3://BUCKET/clicks/workspace=${workspace}/month=${month}/'
);

-- The clicks that count: a file that was replaced stays for a day.
CREATE OR REPLACE VIEW current_clicks AS
WITH files AS (
  SELECT DISTINCT workspace, month, "$path" AS path,
    CAST(regexp_extract("$path", '(\d+)-(\d+)-(\d+)\.parquet$', 1) AS integer) AS first_number,
    CAST(regexp_extract("$path", '(\d+)-(\d+)-(\d+)\.parquet$', 2) AS integer) AS last_number,
    CAST(regexp_extract("$path", '(\d+)-(\d+)-(\d+)\.parquet$', 3) AS integer) AS revision
  FROM clicks
), counting AS (
  SELECT path, last_number, max(last_number) OVER (
    PARTITION BY workspace, month ORDER BY first_number, last_number DESC, revision DESC
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS covered
  FROM files
)
SELECT clicks.* FROM clicks JOIN counting ON clicks."$path" = counting.path
WHERE coalesce(covered, 0) < last_number;

-- Clicks and unique clicks of a month by country.
SELECT country, count(*) AS clicks, count(*) FILTER (WHERE is_unique) AS unique_clicks
FROM current_clicks WHERE month = '2026-11' GROUP BY country ORDER BY clicks DESC;

-- The hours (UTC) of phones.
SELECT hour(clicked_at) AS hour, count(*) AS clicks
FROM current_clicks WHERE month >= '2026-09' AND device = 'mobile' GROUP BY 1 ORDER BY 1;

-- The links of a campaign.
SELECT link_id, slug, count(*) AS clicks, min(clicked_at) AS first_click, max(clicked_at) AS last_click
FROM current_clicks WHERE utm_campaign = 'spring' GROUP BY link_id, slug ORDER BY clicks DESC;
