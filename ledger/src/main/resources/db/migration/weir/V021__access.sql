-- Who may call the API. The secret of a token is nowhere: only its SHA-256 is.
create table weir.api_token (
    -- Public part of the token; tells tokens apart in lists and journals.
    id text not null,
    name text not null,
    role text not null,
    -- Empty: everything that the role may do.
    scopes text[] not null,
    secret_digest text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    revoked_at timestamptz,
    constraint api_token_pk primary key (id),
    constraint api_token_digest_once unique (secret_digest),
    constraint api_token_role_known check (role in ('worker', 'operator', 'viewer', 'admin')),
    constraint api_token_expires_later check (expires_at > created_at),
    constraint api_token_digest_form check (secret_digest ~ '^[0-9a-f]{64}$')
);

-- Who did what and why. Entries of one subject form a chain: each holds the hash of the one
-- before, so that none can be changed or taken out of the middle without a trace.
create table weir.audit (
    subject text not null,
    number bigint not null,
    at timestamptz not null,
    actor text not null,
    role text not null,
    action text not null,
    reason text,
    request_id text not null,
    details jsonb not null,
    previous_hash text not null,
    hash text not null,
    constraint audit_pk primary key (subject, number),
    constraint audit_number_from_one check (number > 0),
    constraint audit_hash_form check (hash ~ '^[0-9a-f]{64}$')
);
create index audit_newest_first on weir.audit (at desc);

create function weir.audit_hash(
    subject text, number bigint, at timestamptz, actor text, role text, action text, reason text,
    request_id text, details jsonb, previous_hash text) returns text
language sql immutable as $$
    select encode(sha256(convert_to(jsonb_build_array(
        subject, number, extract(epoch from at)::text, actor, role, action, reason, request_id,
        details, previous_hash)::text, 'UTF8')), 'hex')
$$;

create function weir.audit_stays() returns trigger language plpgsql as $$
begin
    raise exception 'the journal of the API only grows';
end $$;
create trigger audit_only_grows before update or delete on weir.audit
    for each row execute function weir.audit_stays();
