"""What a JUnit file must be for Jenkins, GitLab and GitHub's actions alike: the rules of the schema that Jenkins publishes (junit-10.xsd of
jenkinsci/xunit-plugin), of which only the part is allowed that the others read, too."""

import re

# By element: the attributes that it may have, those that it must have, and its children.
ELEMENTS = {
    "testsuites": (("name", "time", "tests", "failures", "errors"), (), ("testsuite",)),
    "testsuite": (("name", "tests", "failures", "errors", "skipped", "time"), ("name", "tests", "failures", "errors"), ("testcase",)),
    "testcase": (("name", "classname", "time"), ("name", "classname"), ("skipped", "failure")),
    "failure": (("type", "message"), (), ()),
    "skipped": (("message",), (), ()),
}
# Seconds, perhaps with commas between thousands.
TIME = re.compile(r"(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?")


def faults(element, top=True):
    may, must_have, children = ELEMENTS.get(element.tag, ((), (), ()))
    found = [] if element.tag in ELEMENTS and (not top or element.tag == "testsuites") else [f"<{element.tag}>"]
    found += [f"{element.tag}.{name}" for name in element.attrib if name not in may]
    found += [f"{element.tag} without {name}" for name in must_have if name not in element.attrib]
    found += [f"{element.tag}.time is {element.get('time')}" for _ in [0] if "time" in element.attrib and not TIME.fullmatch(element.get("time"))]
    found += [f"<{child.tag}> in <{element.tag}>" for child in element if child.tag not in children]
    # A text between elements is none of the schema; in a message it is.
    found += [f"a text in <{element.tag}>" for _ in [0] if children and ((element.text or "").strip() or any((child.tail or "").strip() for child in element))]
    if element.tag == "testsuite":
        counts = {"tests": "testcase", "failures": "testcase/failure", "skipped": "testcase/skipped"}
        found += [f"{name} is {element.get(name)}" for name, path in counts.items() if int(element.get(name, -1)) != len(element.findall(path))]
        found += ["two cases of one name" for _ in [0] if len({(c.get("classname"), c.get("name")) for c in element}) != len(element)]
    return found + [fault for child in element for fault in faults(child, False)]
