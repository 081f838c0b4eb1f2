#!/usr/bin/env python3
"""Runs the peer, xprof, over the xplane files of one run, in one process, and says how long each of its tools took.

    peer_xprof.py [--timeline] [--only TOOL,...] XPLANE...

What xprof caches between its tools stays on, as in its own server; who measures removes the cache files before.
Prints one JSON object: seconds and size of each tool's answer, and the step time it found.
"""
import argparse
import json
import os
import sys
import time

PAGES = ('overview_page', 'input_pipeline_analyzer', 'op_profile', 'hlo_stats', 'framework_op_stats', 'kernel_stats',
         'roofline_model', 'pod_viewer')


def calls(tools, paths):
    """(tool, files, parameters) of each call; the module list exists only once another tool has written it."""
    for tool in tools:
        if tool == 'memory_profile':
            for path in paths:
                yield tool, [path], {}
        elif tool == 'memory_viewer':
            ending = '.hlo_proto.pb'
            for name in sorted(os.listdir(os.path.dirname(paths[0]))):
                if name.endswith(ending) and name != 'NO_MODULE' + ending:
                    yield tool, paths, {'module_name': name[:-len(ending)], 'memory_space': '0'}
        elif tool == 'trace_viewer@':
            yield tool, paths, {'trace_viewer_options': {'resolution': 8000}, 'hosts': []}
        else:
            yield tool, paths, {}


def step_ms(overview):
    """The average step time of an overview page: a list of tables, each with properties beside its rows."""
    for table in json.loads(overview):
        found = (table.get('p') or {}).get('steptime_ms_average')
        if found:
            return float(found)
    return None


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--timeline', action='store_true', help='the timeline too (trace_viewer@)')
    parser.add_argument('--only', help='these tools, instead of all')
    parser.add_argument('xplane', nargs='+', help='the .xplane.pb files of one run')
    return parser.parse_args()


def main():
    args = parse()
    tools = PAGES + ('memory_profile', 'memory_viewer') + (('trace_viewer@',) if args.timeline else ())
    if args.only:
        tools = args.only.split(',')
    start = time.perf_counter()
    from xprof.convert import raw_to_tool_data
    from xprof import version
    log = {'version': version.__version__, 'import_s': round(time.perf_counter() - start, 4), 'tools': {}}
    if 'memory_viewer' in tools:
        start = time.perf_counter()
        raw_to_tool_data.xspace_to_tool_names(args.xplane)
        log['tools']['tool_names'] = {'s': round(time.perf_counter() - start, 4), 'size_bytes': 0}
    for tool, paths, parameters in calls(tools, args.xplane):
        start = time.perf_counter()
        answer, _ = raw_to_tool_data.xspace_to_tool_data(paths, tool, parameters)
        entry = log['tools'].setdefault(tool, {'s': 0.0, 'size_bytes': 0})
        entry['s'] = round(entry['s'] + time.perf_counter() - start, 4)
        entry['size_bytes'] += len(answer or b'')
        if tool == 'overview_page':
            log['step_ms'] = step_ms(answer)
    json.dump(log, sys.stdout)
    print()


if __name__ == '__main__':
    main()
