// Makes the first insert of a kind fail, as in a short database outage; later ones succeed.
import { runSql } from './account-steps.ts';
import type { ServerUnderTest } from './server-under-test.ts';

/** `when`: a condition on `new`. */
export async function failFirst(server: ServerUnderTest, table: string, when: string): Promise<void> {
  // What a sequence has given stays given when its transaction fails.
  await runSql(
    server,
    `create sequence failing_row;
     create function fail_first() returns trigger language plpgsql as $$
     begin
       if nextval('failing_row') = 1 then raise exception 'gone for a moment'; end if;
       return new;
     end $$;
     create trigger fail_first before insert on ${table} for each row when (${when}) execute function fail_first()`,
  );
}
