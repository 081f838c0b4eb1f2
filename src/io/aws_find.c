/* Keys from the environment, from the profile, and in what order all are looked for. */
#include "io/aws_find.h"

#include "base/arena.h"
#include "io/aws_profile.h"
#include "io/aws_roles.h"
#include "io/aws_sso.h"
#include "io/aws_sts.h"
#include "io/command.h"
#include "io/store.h"

enum { MOST_PROFILES = 8 };

static struct tp_aws_keys
from_environment(struct tp_arena *arena)
{
	(void)arena;
	return (struct tp_aws_keys){
		.access_key = tp_env("AWS_ACCESS_KEY_ID"),
		.secret_key = tp_env("AWS_SECRET_ACCESS_KEY"),
		.token = tp_env("AWS_SESSION_TOKEN"),
		.source = TP_S("AWS_ACCESS_KEY_ID"),
	};
}

static struct tp_slice
named(struct tp_arena *arena, struct tp_slice profile)
{
	return tp_arena_printf(arena, "profile %.*s", TP_ARG(profile));
}

static struct tp_aws_keys
none_since(const char *why)
{
	return (struct tp_aws_keys){.access_key = {"", 0}, .why_none = why};
}

/* Those that stand there as they are. */
static struct tp_aws_keys
lasting(struct tp_arena *arena, struct tp_slice profile)
{
	return (struct tp_aws_keys){
		.access_key = tp_aws_profile_value(arena, profile, "aws_access_key_id"),
		.secret_key = tp_aws_profile_value(arena, profile, "aws_secret_access_key"),
		.token = tp_aws_profile_value(arena, profile, "aws_session_token"),
		.source = named(arena, profile),
	};
}

/* A program prints them: https://docs.aws.amazon.com/sdkref/latest/guide/feature-process-credentials.html */
static struct tp_aws_keys
of_program(struct tp_arena *arena, struct tp_slice profile, struct tp_slice command)
{
	struct tp_aws_keys keys = tp_aws_keys_of_json(
		arena, tp_command_output(arena, command.ptr), "SessionToken", named(arena, profile));

	if (!tp_aws_keys_complete(&keys))
		keys = none_since(tp_arena_printf(arena,
			"credential_process of profile %.*s printed no keys: run it to see what it says",
			TP_ARG(profile))
							  .ptr);
	return keys;
}

static struct tp_aws_keys of_profile(
	struct tp_arena *arena, struct tp_slice profile, unsigned depth);

/* The keys which take the role. */
static struct tp_aws_keys
source_of_role(struct tp_arena *arena, struct tp_slice profile, unsigned depth)
{
	static const struct {
		const char *name;
		struct tp_aws_keys (*find)(struct tp_arena *arena);
	} sources[] = {
		{"Environment", from_environment},
		{"EcsContainer", tp_aws_keys_of_container},
		{"Ec2InstanceMetadata", tp_aws_keys_of_machine},
	};
	struct tp_slice other = tp_aws_profile_value(arena, profile, "source_profile");
	struct tp_slice place = tp_aws_profile_value(arena, profile, "credential_source");

	if (other.len != 0)
		return tp_slice_eq(other, profile) ? lasting(arena, profile)
										   : of_profile(arena, other, depth + 1);
	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
		if (tp_slice_eq(place, tp_slice_of(sources[i].name)))
			return sources[i].find(arena);
	}
	return none_since(tp_arena_printf(arena,
		"profile %.*s assumes a role, but has no source: set source_profile in ~/.aws/config",
		TP_ARG(profile))
						  .ptr);
}

static struct tp_aws_keys
of_role(struct tp_arena *arena, struct tp_slice profile, struct tp_slice role, unsigned depth)
{
	struct tp_aws_role r = {
		.arn = role,
		.session = tp_aws_profile_value(arena, profile, "role_session_name"),
		.external_id = tp_aws_profile_value(arena, profile, "external_id"),
		.seconds = tp_aws_profile_value(arena, profile, "duration_seconds"),
	};
	struct tp_slice token = tp_aws_profile_value(arena, profile, "web_identity_token_file");

	if (token.len != 0)
		return tp_aws_role_by_token(arena, &r, token);
	if (tp_aws_profile_value(arena, profile, "mfa_serial").len != 0)
		return none_since(tp_arena_printf(arena,
			"profile %.*s asks for the code of a device: eval \"$(aws configure export-credentials "
			"--profile %.*s --format env)\" gives its keys to this shell",
			TP_ARG(profile), TP_ARG(profile))
							  .ptr);
	struct tp_aws_keys by = source_of_role(arena, profile, depth);

	if (tp_aws_keys_complete(&by))
		return tp_aws_role_by_keys(arena, &r, &by);
	if (by.why_none == NULL)
		by.why_none = tp_arena_printf(arena,
			"profile %.*s assumes a role, but no keys were found to assume it with",
			TP_ARG(profile))
						  .ptr;
	return none_since(by.why_none);
}

/* In the order of AWS's tools. */
static struct tp_aws_keys
of_profile(struct tp_arena *arena, struct tp_slice profile, unsigned depth)
{
	struct tp_slice role = tp_aws_profile_value(arena, profile, "role_arn"), command;
	struct tp_aws_keys keys;

	if (depth == MOST_PROFILES)
		return none_since("profiles assume each other's roles in a circle");
	if (role.len != 0)
		return of_role(arena, profile, role, depth);
	keys = tp_aws_sso_keys(arena, profile);
	if (tp_aws_keys_complete(&keys) || keys.why_none != NULL)
		return keys;
	keys = lasting(arena, profile);
	command = tp_aws_profile_value(arena, profile, "credential_process");
	if (!tp_aws_keys_complete(&keys) && command.len != 0)
		keys = of_program(arena, profile, command);
	return keys;
}

static struct tp_aws_keys
of_profile_in_use(struct tp_arena *arena)
{
	return of_profile(arena, tp_aws_profile_name(), 0);
}

static struct tp_aws_keys
copied(struct tp_arena *arena, const struct tp_aws_keys *keys)
{
	return (struct tp_aws_keys){
		.access_key = tp_arena_copy(arena, keys->access_key),
		.secret_key = tp_arena_copy(arena, keys->secret_key),
		.token = tp_arena_copy(arena, keys->token),
		.expires_unix_s = keys->expires_unix_s,
		.source = tp_arena_copy(arena, keys->source),
		.why_none =
			keys->why_none != NULL ? tp_arena_copy(arena, tp_slice_of(keys->why_none)).ptr : NULL,
	};
}

/* What stands somewhere and does not work is told; nobody else's keys are taken in its place. */
struct tp_aws_keys
tp_aws_keys_find(struct tp_arena *arena)
{
	struct tp_aws_keys (*const sources[])(struct tp_arena *) = {from_environment,
		tp_aws_keys_of_cluster, of_profile_in_use, tp_aws_keys_of_container,
		tp_aws_keys_of_machine};
	struct tp_arena *scratch = tp_arena_new();
	struct tp_aws_keys keys = {.access_key = {"", 0}};

	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
		keys = sources[i](scratch);
		if (tp_aws_keys_complete(&keys) || keys.why_none != NULL)
			break;
	}
	keys = copied(arena, &keys);
	tp_arena_free(scratch);
	if (!tp_aws_keys_complete(&keys))
		keys.access_key.len = 0;
	return keys;
}
