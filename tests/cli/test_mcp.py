"""`tpreport mcp`: the four tools give what the commands give; what is wrong is said in the protocol's way; nothing that a model can say writes a
file."""

import json
import os
import subprocess
from pathlib import Path

from cases import must, run_all

SOURCE = Path(os.environ["TPREPORT_SOURCE"])
TPREPORT = os.environ["TPREPORT"]
JAX = str(SOURCE / "examples/jax_cnn/input")


def talk(folder, *messages):
    """All answers to some lines; messages that are no text become JSON-RPC with numbers as ids."""
    lines = [m if isinstance(m, str) else json.dumps({"jsonrpc": "2.0", "id": i, **m}) for i, m in enumerate(messages)]
    done = subprocess.run([TPREPORT, "mcp"], input="\n".join(lines) + "\n", cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    must(done.returncode == 0 and done.stderr == "", done.returncode, done.stderr)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    must(all(a["jsonrpc"] == "2.0" for a in answers), answers)
    return answers


def call(folder, name, **arguments):
    answer = talk(folder, {"method": "tools/call", "params": {"name": name, "arguments": arguments}})[0]
    result = answer["result"]
    must([c["type"] for c in result["content"]] == ["text"], result)
    return result["content"][0]["text"], result["isError"]


def told(*words):
    done = subprocess.run([TPREPORT, *words], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    must(done.returncode == 0, words, done.stderr)
    return done.stdout


def begins(folder):
    answers = talk(folder, {"method": "initialize", "params": {"protocolVersion": "2025-03-26", "capabilities": {}}},
                   '{"jsonrpc": "2.0", "method": "notifications/initialized"}', {"method": "ping"}, {"method": "tools/list"})
    must([a["id"] for a in answers] == [0, 2, 3], "a notification is answered", answers)
    hello = answers[0]["result"]
    must(hello["protocolVersion"] == "2025-03-26" and hello["serverInfo"]["name"] == "tpreport" and "tools" in hello["capabilities"], hello)
    must(answers[1]["result"] == {}, answers[1])
    tools = {t["name"]: t for t in answers[2]["result"]["tools"]}
    must(list(tools) == ["report", "show", "diff", "metrics"], list(tools))
    for tool in tools.values():
        schema = tool["inputSchema"]
        must(set(schema["required"]) <= set(schema["properties"]) and schema["additionalProperties"] is False and tool["description"], tool)
        must(tool["annotations"]["readOnlyHint"] is True, tool)


def gives_what_commands_give(folder):
    must(call(folder, "report", path=JAX) == (told("-q", JAX, "-o", "-", "--format", "markdown"), False), "report")
    must(call(folder, "report", path=JAX, size="16K") == (told("-q", JAX, "-o", "-", "--format", "markdown", "--size", "16K"), False), "report, larger")
    must(call(folder, "show", path=JAX) == (told("-q", "show", JAX), False), "the list of sections")
    must(call(folder, "show", path=JAX, section="operations", filter="conv", top="3") ==
         (told("-q", "show", JAX, "operations", "--filter", "conv", "--top", "3"), False), "a section")
    must(call(folder, "diff", a=JAX, b=JAX, floor="2%") == (told("-q", "diff", JAX, JAX, "--floor", "2%", "-o", "-", "--format", "markdown"), False), "diff")
    must(call(folder, "metrics", path=JAX, ids=["step.count", "kernels.count"]) == (told("get", JAX, "step.count", "kernels.count"), False), "metrics")
    must(call(folder, "metrics", path=JAX) == (told("get", JAX), False), "all metrics")


def what_is_wrong(folder):
    for arguments, says in (
        ({"path": "/nope"}, "/nope"),
        ({}, "report needs the argument path"),
        ({"path": 7}, "path: give a string"),
        ({"path": JAX, "output": "x.html"}, "report has no argument output"),
        ({"path": JAX, "size": "much"}, "--size much"),
    ):
        text, failed = call(folder, "report", **arguments)
        must(failed and says in text, arguments, text)
    must(call(folder, "metrics", path=JAX, ids="step.count") == ("ids: give a list of strings", True), "a text for a list")
    must(call(folder, "metrics", path=JAX, ids=["step.cuont"])[1], "an unknown id")
    for line, code in (("{", -32700), ('{"jsonrpc": "2.0", "id": 1}', -32600), ('{"jsonrpc": "2.0", "id": 1, "method": "resources/list"}', -32601),
                       ('{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "write"}}', -32602), ("[]", -32600),
                       ('{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": 3}', -32602), ("[" * 100000, -32700)):
        answers = talk(folder, line, {"method": "ping"})
        must(answers[0]["error"]["code"] == code and answers[-1]["result"] == {}, line[:80], answers[0])


def writes_nothing(folder):
    Path(folder, "log").mkdir()
    for arguments in ({"path": "--output=x.html"}, {"path": "-ox.html"}, {"path": JAX, "run": "1 --output=x.html"},
                      {"path": JAX, "section": "--output=x.html"}, {"path": JAX, "section": "-ox.html"}):
        call(folder, "show" if "section" in arguments else "report", **arguments)
    call(folder, "diff", a=JAX, b=JAX, baselines=["--output=x.html", "-ox.html"])
    call(folder, "metrics", path=JAX, ids=["--output=x.html"])
    must(os.listdir(folder) == ["log"], os.listdir(folder))
    # "-" would read the client's next message.
    text, failed = call(folder, "report", path="-")
    must(failed, text)


run_all([begins, gives_what_commands_give, what_is_wrong, writes_nothing])
