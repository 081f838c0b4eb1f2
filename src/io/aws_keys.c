/* Keys from the environment and from files; those that a service gives are in aws_roles.c. */
#include "io/aws_keys.h"

#include "base/arena.h"
#include "io/aws_roles.h"
#include "io/ini.h"
#include "io/small_file.h"
#include "io/store.h"

static struct tp_slice
profile_name(void)
{
	struct tp_slice name = tp_env("AWS_PROFILE");

	name = name.len != 0 ? name : tp_env("AWS_DEFAULT_PROFILE");
	return name.len != 0 ? name : TP_S("default");
}

/* "~/.aws/credentials", or what the environment says instead. */
static struct tp_slice
path_of(struct tp_arena *arena, const char *variable, const char *name)
{
	struct tp_slice path = tp_env(variable);

	return path.len != 0 ? path
						 : tp_arena_printf(arena, "%.*s/.aws/%s", TP_ARG(tp_env("HOME")), name);
}

static struct tp_slice
credentials_path(struct tp_arena *arena)
{
	return path_of(arena, "AWS_SHARED_CREDENTIALS_FILE", "credentials");
}

static struct tp_slice
config_path(struct tp_arena *arena)
{
	return path_of(arena, "AWS_CONFIG_FILE", "config");
}

/* In config all sections but the default one say what they are. */
static struct tp_slice
from_config(struct tp_arena *arena, struct tp_slice name)
{
	struct tp_slice text = tp_small_file(arena, config_path(arena).ptr), profile = profile_name();
	struct tp_slice section = tp_arena_printf(arena, "profile %.*s", TP_ARG(profile));
	struct tp_slice value = tp_ini_value(text, section, name);

	if (value.len == 0 && tp_slice_eq(profile, TP_S("default")))
		value = tp_ini_value(text, profile, name);
	return value;
}

static struct tp_slice
from_files(struct tp_arena *arena, struct tp_slice name)
{
	struct tp_slice value =
		tp_ini_value(tp_small_file(arena, credentials_path(arena).ptr), profile_name(), name);

	return value.len != 0 ? value : from_config(arena, name);
}

struct tp_slice
tp_aws_setting(struct tp_arena *arena, const char *name)
{
	return from_files(arena, tp_slice_of(name));
}

static struct tp_aws_keys
from_environment(void)
{
	return (struct tp_aws_keys){
		.access_key = tp_env("AWS_ACCESS_KEY_ID"),
		.secret_key = tp_env("AWS_SECRET_ACCESS_KEY"),
		.token = tp_env("AWS_SESSION_TOKEN"),
		.source = TP_S("AWS_ACCESS_KEY_ID"),
	};
}

static struct tp_aws_keys
from_profile(struct tp_arena *arena)
{
	static const struct {
		const char *setting, *why;
	} others[] = {
		{"sso_session", "the profile signs in by SSO"},
		{"sso_start_url", "the profile signs in by SSO"},
		{"role_arn", "the profile takes a role"},
		{"credential_process", "the profile runs a program for its keys"},
	};
	struct tp_aws_keys keys = {
		.access_key = from_files(arena, TP_S("aws_access_key_id")),
		.secret_key = from_files(arena, TP_S("aws_secret_access_key")),
		.token = from_files(arena, TP_S("aws_session_token")),
		.source = tp_arena_printf(arena, "profile %.*s", TP_ARG(profile_name())),
	};

	for (size_t i = 0; i < sizeof others / sizeof *others && keys.access_key.len == 0; i++) {
		if (keys.why_none == NULL && from_files(arena, tp_slice_of(others[i].setting)).len != 0)
			keys.why_none = others[i].why;
	}
	return keys;
}

static bool
complete(const struct tp_aws_keys *keys)
{
	return keys->access_key.len != 0 && keys->secret_key.len != 0;
}

struct tp_aws_keys
tp_aws_keys_find(struct tp_arena *arena)
{
	struct tp_aws_keys keys = from_environment();
	const char *why_none;

	if (complete(&keys))
		return keys;
	keys = from_profile(arena);
	if (complete(&keys))
		return keys;
	why_none = keys.why_none;
	keys = tp_aws_keys_of_roles(arena);
	keys.why_none = why_none;
	if (!complete(&keys))
		keys.access_key.len = 0;
	return keys;
}
