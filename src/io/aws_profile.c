/* Files are read each time that something is asked: they are small, and may be written anew meanwhile. */
#include "io/aws_profile.h"

#include "base/arena.h"
#include "io/ini.h"
#include "io/small_file.h"
#include "io/store.h"

struct tp_slice
tp_aws_profile_name(void)
{
	struct tp_slice name = tp_env("AWS_PROFILE");

	name = name.len != 0 ? name : tp_env("AWS_DEFAULT_PROFILE");
	return name.len != 0 ? name : TP_S("default");
}

/* "~/.aws/credentials", or what the environment says instead. */
static struct tp_slice
text_of(struct tp_arena *arena, const char *variable, const char *name)
{
	struct tp_slice path = tp_env(variable);

	if (path.len == 0)
		path = tp_arena_printf(arena, "%.*s/.aws/%s", TP_ARG(tp_env("HOME")), name);
	return tp_small_file(arena, path.ptr);
}

static struct tp_slice
config_of(struct tp_arena *arena)
{
	return text_of(arena, "AWS_CONFIG_FILE", "config");
}

/* In config all sections but the default one say what they are. */
static struct tp_slice
from_config(struct tp_arena *arena, struct tp_slice profile, struct tp_slice name)
{
	struct tp_slice text = config_of(arena);
	struct tp_slice section = tp_arena_printf(arena, "profile %.*s", TP_ARG(profile));
	struct tp_slice value = tp_ini_value(text, section, name);

	if (value.len == 0 && tp_slice_eq(profile, TP_S("default")))
		value = tp_ini_value(text, profile, name);
	return value;
}

struct tp_slice
tp_aws_profile_value(struct tp_arena *arena, struct tp_slice profile, const char *name)
{
	struct tp_slice keys = text_of(arena, "AWS_SHARED_CREDENTIALS_FILE", "credentials");
	struct tp_slice value = tp_ini_value(keys, profile, tp_slice_of(name));

	if (value.len == 0)
		value = from_config(arena, profile, tp_slice_of(name));
	return tp_arena_copy(arena, value);
}

struct tp_slice
tp_aws_session_value(struct tp_arena *arena, struct tp_slice session, const char *name)
{
	struct tp_slice section = tp_arena_printf(arena, "sso-session %.*s", TP_ARG(session));

	return tp_ini_value(config_of(arena), section, tp_slice_of(name));
}

struct tp_slice
tp_aws_region(struct tp_arena *arena)
{
	struct tp_slice region = tp_env("AWS_REGION");

	region = region.len != 0 ? region : tp_env("AWS_DEFAULT_REGION");
	return region.len != 0 ? region : tp_aws_profile_value(arena, tp_aws_profile_name(), "region");
}

struct tp_slice
tp_aws_endpoint(struct tp_arena *arena, const char *service)
{
	struct tp_slice url = tp_env(tp_arena_printf(arena, "AWS_ENDPOINT_URL_%s", service).ptr);

	url = url.len != 0 ? url : tp_env("AWS_ENDPOINT_URL");
	if (url.len == 0)
		url = tp_aws_profile_value(arena, tp_aws_profile_name(), "endpoint_url");
	while (tp_slice_ends(url, TP_S("/")))
		url.len--;
	return url;
}
