/* Keys as answers hold them. */
#include "io/aws_keys.h"

#include "io/json_texts.h"
#include "io/store.h"

bool
tp_aws_keys_complete(const struct tp_aws_keys *keys)
{
	return keys->access_key.len != 0 && keys->secret_key.len != 0;
}

struct tp_aws_keys
tp_aws_keys_of_json(
	struct tp_arena *arena, struct tp_slice text, const char *token, struct tp_slice source)
{
	struct tp_json_text fields[] = {{"AccessKeyId", {"", 0}}, {"SecretAccessKey", {"", 0}},
		{token, {"", 0}}, {"Expiration", {"", 0}}};

	tp_json_texts(arena, text, fields, 4);
	return (struct tp_aws_keys){
		.access_key = fields[0].value,
		.secret_key = fields[1].value,
		.token = fields[2].value,
		.expires_unix_s = tp_time_of_iso(fields[3].value) / 1000000000,
		.source = source,
	};
}
