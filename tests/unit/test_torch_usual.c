/* Events read the short way: the same as the long way finds, whatever is wrong with them, and nearly all of them. */
#include "unit.h"

#include "torch_ways.h"

/* Two of each, so that the second finds what the first left. */
static const char text[] =
	"{\"traceEvents\": [\n"
	"{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 1, \"tid\": 2, \"args\": {\"name\": "
	"\"a\"}},\n"
	"{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::add\", \"pid\": 1, \"tid\": 2,\n"
	" \"ts\": 5.25, \"dur\": 1.5\n ,\n \"args\": {\n \"External id\": 7,\"Sequence number\": 3,"
	" \"Input Dims\": [[1, 2], [\"}\"], {}], \"Input type\": [\"float\"] , \"Odd\": {\"a\": "
	"[1]}}\n},\n"
	"{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mul\", \"pid\": 1, \"tid\": 2,\n"
	" \"ts\": 6.250, \"dur\": 0\n ,\n \"args\": {\n \"External id\": 8,\"Sequence number\": -3,"
	" \"Input Dims\": [[1, 2], [\"\\\"\"], {}], \"Input type\": [] , \"Odd\": {\"a\": [1]}}\n},\n"
	"{\"ph\":\"X\",\"cat\":\"Kernel\",\"name\":\"k\",\"pid\":\"0\",\"tid\":\"stream "
	"7\",\"ts\":8,\"dur\":2,\"args\":"
	"{\"grid\":[4,5,6],\"block\": [ 32 , 1 , 1 ],\"correlation\":9,\"blocks per "
	"SM\":1.25,\"sync\":true}},\n"
	"{\"ph\":\"X\",\"cat\":\"Kernel\",\"name\":\"l\",\"pid\":\"0\",\"tid\":\"stream "
	"7\",\"ts\":9,\"dur\":2,\"args\":"
	"{\"grid\":[7,8,9],\"block\": [ 64 , 1 , 1 ],\"correlation\":-1,\"blocks per "
	"SM\":2.5,\"sync\":null}},\n"
	"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"c10d::send\",\"args\":{\"Concrete "
	"Inputs\":[\"\",\"\",\"3\"]},\"ts\":1},"
	"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::sum\",\"args\":{\"Concrete "
	"Inputs\":[\"\",\"\",\"3\"]},\"ts\":1},"
	"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::sum\",\"args\":{\"Record function id\": 0, \"Input "
	"Dims\": [[4096, 16], [], [[7]], []], \"Input type\": [\"[4, 4]\", \"Scalar\"], \"Odd\":0}},"
	"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::sum\",\"args\":{\"Record function id\": 0, \"Input "
	"Dims\": [[512, 4], [[8]], []], \"Input type\": [\"[8]\", \"]\"], \"Odd\":0}},"
	"{\"ph\":\"i\",\"s\":\"t\",\"name\":\"[memory]\",\"args\":{\"Bytes\":-4,\"Addr\":5},\"args\":{}"
	", \"ph\":\"I\"},\n"
	"{\"ph\":\"i\",\"s\":\"t\",\"name\":\"[memory]\",\"args\":{\"Bytes\":16,\"Addr\":6},\"args\":{}"
	", \"ph\":\"I\"}\n"
	"]}                                                                                            "
	"   "
	"                                                                                              "
	"   ";

static struct tp_slice
with(char *copy, size_t at, size_t gone, const char *instead, size_t length)
{
	memcpy(copy, text, at);
	if (length != 0)
		memcpy(copy + at, instead, length);
	memcpy(copy + at + length, text + at + gone, sizeof text - 1 - at - gone);
	return (struct tp_slice){copy, sizeof text - 1 - gone + length};
}

static void
usual_events_are_read_the_short_way(void **state)
{
	size_t usual;

	(void)state;
	assert_true(torch_ways_agree((struct tp_slice){text, sizeof text - 1}, &usual));
	/* Not the first, not the one with a backslash in a list, and not the one whose inputs are looked at. */
	assert_int_equal(usual, 8);
}

static void
both_ways_agree_on_what_is_damaged(void **state)
{
	static const char bytes[] = "\"{}[],:\\ -+.0eEtn\n\x01\x80";
	char copy[sizeof text + 16];
	size_t usual;

	(void)state;
	for (size_t at = 0; at < sizeof text - 1; at++) {
		for (size_t i = 0; i < sizeof bytes; i++) {
			assert_true(torch_ways_agree(with(copy, at, 1, &bytes[i], 1), &usual));
			assert_true(torch_ways_agree(with(copy, at, 0, &bytes[i], 1), &usual));
		}
		assert_true(torch_ways_agree(with(copy, at, 1, NULL, 0), &usual));
		assert_true(torch_ways_agree(with(copy, at, 0, "\"a\":1,", 6), &usual));
		assert_true(torch_ways_agree((struct tp_slice){text, at}, &usual));
	}
}

/* More places than are kept, and gaps longer than are kept. */
static void
both_ways_agree_on_what_is_never_the_same(void **state)
{
	enum { EVENTS = 3000, ROOM = EVENTS * 400 };
	char *many = malloc(ROOM);
	size_t length = 0, usual;

	(void)state;
	length += (size_t)snprintf(many + length, ROOM - length, "[{\"ph\":\"X\"}");
	for (int i = 0; i < EVENTS; i++)
		length += (size_t)snprintf(many + length, ROOM - length,
			",%*s{\"ph\":\"X\",\"cat\":\"c%d\",\"k%d\":1,\"ts\":%d,\"args\":{\"a%d\":{},\"External "
			"id\":%d}}",
			i % 200, "", i, i % 7, i, i % 300, i);
	length += (size_t)snprintf(many + length, ROOM - length, "]%200s", "");
	assert_true(torch_ways_agree((struct tp_slice){many, length}, &usual));
	assert_int_equal(usual, EVENTS);
	free(many);
}

/* Of few processes and threads the numbers are part of a gap; of many, of long names and of what comes twice they are not. */
static void
both_ways_agree_on_processes_and_threads(void **state)
{
	enum { EVENTS = 3000, ROOM = EVENTS * 400 };
	static const char *const kinds[] = {
		"\"ph\":\"X\",\"cat\":\"cpu_op\",\"pid\":%d,\"tid\":%d", /* as they mostly are */
		"\"pid\":\"GPU %d\",\"tid\":\"stream %d\",\"ph\":\"X\",\"cat\":\"Kernel\"",
		"\"pid\":%d,\"pid\":\"\",\"tid\":-%d,\"tid\":null,\"ph\":\"XX\",\"ph\":\"X\"",
		"\"ph\":\"X\",\"pid\":%d1234567890123456789012345678901234567890123456789012345678901234567890,"
		"\"tid\":%d.5,\"cat\":\"\",\"cat\":\"kernel\"",
	};
	char *many = malloc(ROOM);

	(void)state;
	for (int threads = 1; threads <= 100; threads *= 10) {
		size_t length = (size_t)snprintf(many, ROOM, "[{\"ph\":\"X\"}"), usual;

		for (int i = 0; i < EVENTS; i++) {
			length += (size_t)snprintf(many + length, ROOM - length, ",{");
			length += (size_t)snprintf(many + length, ROOM - length, kinds[i / threads % 4],
				i % threads / 10, i % threads);
			length += (size_t)snprintf(many + length, ROOM - length, ",\"ts\":%d}", i);
		}
		length += (size_t)snprintf(many + length, ROOM - length, "]%200s", "");
		assert_true(torch_ways_agree((struct tp_slice){many, length}, &usual));
		assert_int_equal(usual, EVENTS);
	}
	free(many);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(usual_events_are_read_the_short_way),
		cmocka_unit_test(both_ways_agree_on_what_is_damaged),
		cmocka_unit_test(both_ways_agree_on_what_is_never_the_same),
		cmocka_unit_test(both_ways_agree_on_processes_and_threads),
	};

	return RUN(tests);
}
