/** Scans and as many alerts; one of ten has a finding. */
export async function fillScans(database, organizationId, count) {
  const text = 'x'.repeat(700);
  for (let first = 1; first <= count; first += 10_000) {
    const numbers = `with recursive numbers (n) as (select ${first} union all select n + 1 from numbers
      where n < ${Math.min(count, first + 9_999)})`;
    await database.transaction(async ({ execute }) => {
      await execute(
        `${numbers} insert into probity_scans (id, organization_id, member_id, key_id, verdict, scores,
          findings, finding_count, policies, metadata, ai_system_id, response_hash, duration_us, created_at)
          select 'scn_' || (10000000 + n), '${organizationId}', 'mem_0', 'key_' || (n % 3),
          case when n % 10 = 0 then 'blocked' else 'allowed' end, '{}',
          '[]', 0, '[{"id":"pol_all","version":1,"mode":"enforce"}]', '{"note":"${text}"}',
          case when n % 2 = 0 then 'sys_' || (n % 4) end, '', 100, n from numbers`,
        [],
      );
      for (const [kind, value, every] of [
        ['policy', 'pol_all', 1],
        ['stage', 'pii_scanner', 10],
        ['type', 'email', 10],
      ]) {
        await execute(
          `${numbers} insert into probity_scan_marks select '${organizationId}', '${kind}', '${value}', n,
            'scn_' || (10000000 + n) from numbers where n % ${every} = 0`,
          [],
        );
      }
      await execute(
        `${numbers} insert into probity_alerts (id, organization_id, type, severity, status, message,
          scan_id, created_at, search_text, assignee_id)
          select 'alr_' || (10000000 + n), '${organizationId}', 'pii', case when n % 4 = 0 then 'low' else 'high' end,
          case when n % 5 = 0 then 'resolved' else 'open' end, 'a number', 'scn_' || (10000000 + n), n,
          case when n % 5 = 1 then 'a number has leaked' else 'a number was found' end,
          case when n % 2 = 0 then 'mem_' || (n % 4) end from numbers`,
        [],
      );
    });
  }
}
