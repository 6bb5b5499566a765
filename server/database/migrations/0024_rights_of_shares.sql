-- Rights of their own for taking recordings away, for changing what is recorded and kept, and for sharing on. Who could do the
-- first by Replay still may; the staff of an owner keeps what it did by Config; who received a share loses power over storage.
UPDATE grant_row SET permissions = permissions || '{Export}'::text[] WHERE 'Replay' = ANY (permissions);
UPDATE role SET permissions = permissions || '{Export}'::text[] WHERE 'Replay' = ANY (permissions);
UPDATE grant_row SET permissions = permissions || '{RecordConfig}'::text[] WHERE source = 'role' AND 'Config' = ANY (permissions);
UPDATE role SET permissions = permissions || '{RecordConfig}'::text[] WHERE 'Config' = ANY (permissions);

-- What was passed on before goes on; what is passed on from now takes the right to.
ALTER TABLE share ADD COLUMN needs_reshare boolean NOT NULL DEFAULT true;
UPDATE share SET needs_reshare = false;
ALTER TABLE share_link ADD COLUMN needs_reshare boolean NOT NULL DEFAULT true;
UPDATE share_link SET needs_reshare = false;

-- Locks of accounts a channel is shared with rest on that right: `until` is when it ends by time.
ALTER TABLE footage_lock ADD COLUMN by_share boolean NOT NULL DEFAULT false, ADD COLUMN until bigint;
UPDATE footage_lock SET by_share = true, until = 0
  FROM channel JOIN device USING (device_id), account AS maker
  WHERE channel.channel_id = footage_lock.channel_id AND maker.account_id = footage_lock.created_by
    AND device.owner_id <> coalesce(maker.owner_id, maker.account_id);
-- No lock lies in the future.
DELETE FROM footage_lock WHERE start_time >= extract(epoch FROM now()) * 1000;
UPDATE footage_lock SET end_time = floor(extract(epoch FROM now()) * 1000)::bigint
  WHERE end_time > extract(epoch FROM now()) * 1000;
CREATE INDEX footage_lock_by_share ON footage_lock (created_by) WHERE by_share;
